/** Module hooks: whatever asks for core/remembered.js is given forgetful.js. */
const forgetful = new URL('./forgetful.js', import.meta.url).href
const remembered = new URL('../../../core/remembered.js', import.meta.url).href

interface Resolved {
  readonly url: string
}

export async function resolve(
  specifier: string,
  context: object,
  next: (specifier: string, context: object) => Promise<Resolved>,
): Promise<Resolved> {
  const resolved = await next(specifier, context)
  return resolved.url === remembered ? { ...resolved, url: forgetful } : resolved
}
