import { posix } from 'node:path'
import { type Argument, type CallExpression, type NewExpression, parseSync, Visitor } from 'oxc-parser'

/** What a file takes in: a path of the tree, the name of a package, or neither where only running it tells. */
export interface Reference {
  readonly line: number
  readonly path?: string
  readonly package?: string
}

const ANY_NAME = '_'

/** Everything that a source file imports, starts or reads by its own place. `file` is its path in the tree, with `/`. */
export function referencesOf(file: string, text: string): readonly Reference[] {
  const { program, errors } = parseSync(file, text)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  const found: Reference[] = []
  const line = (at: number): number => text.slice(0, at).split('\n').length
  const imports = ({ source }: { readonly source: Argument | null }): void => {
    if (source !== null) found.push({ line: line(source.start), ...imported(file, textOf(source)) })
  }
  /** Where import.meta stands that is told by its place. */
  const followed = new Set<number>()
  const starts = ({ arguments: [first, ...rest], start }: CallExpression | NewExpression): void => {
    const [second] = rest
    if (first === undefined || second === undefined) return
    const place = isOwn(first, 'dirname') ? rest.map(nameOf).join('/') : isOwn(second, 'url') && nameOf(first)
    if (place === false) return
    followed.add((isOwn(first, 'dirname') ? first : second).start)
    found.push({ line: line(start), path: builtPath(file, place) })
  }
  new Visitor({
    ImportDeclaration: imports,
    ExportAllDeclaration: imports,
    ExportNamedDeclaration: imports,
    ImportExpression: imports,
    TSImportType: imports,
    TSExternalModuleReference: ({ expression }) => imports({ source: expression }),
    NewExpression: starts,
    CallExpression: starts,
    MetaProperty({ meta, start }) {
      if (meta.name === 'import' && !followed.has(start)) found.push({ line: line(start) })
    },
  }).visit(program)
  return found
}

/** Whether an argument is `import.meta.url` or `import.meta.dirname`. */
const isOwn = (node: Argument, name: 'url' | 'dirname'): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'MetaProperty' &&
  node.property.type === 'Identifier' &&
  node.property.name === name

/** The text that a literal is; what is filled into a template stands for a name. */
function textOf(node: Argument): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'TemplateLiteral')
    return node.quasis.map(({ value }) => value.cooked ?? '').join(ANY_NAME)
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression') return textOf(node.expression)
  return undefined
}

const nameOf = (node: Argument): string => textOf(node) ?? ANY_NAME

const asSource = (path: string): string => path.replace(/\.js$/, '.ts')

function imported(file: string, specifier: string | undefined): Omit<Reference, 'line'> {
  if (specifier === undefined) return {}
  if (specifier.startsWith('.')) return { path: asSource(posix.join(posix.dirname(file), specifier)) }
  const [first = '', second = ''] = specifier.split('/')
  return { package: first.startsWith('@') ? `${first}/${second}` : first }
}

/** A place that compiled code finds from where it lies itself, in `dist/`. */
function builtPath(file: string, place: string): string {
  const path = posix.join('dist', posix.dirname(file), place)
  return path.startsWith('dist/') ? asSource(path.slice('dist/'.length)) : path
}
