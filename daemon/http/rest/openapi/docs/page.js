/** Renders /openapi.json: a list of routes by tag, each with its parameters, a form to try it, and its answers. */

const element = (name, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(name), properties)
  node.append(...children)
  return node
}

/** Text whose pieces between backticks are code. */
const prose = (text) => text.split('`').map((piece, i) => (i % 2 === 1 ? element('code', {}, piece) : piece))

/** An example of a schema; what contains itself is cut off. */
function example(api, schema, within = []) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').pop()
    if (within.includes(name)) return {}
    return example(api, api.components.schemas[name], [...within, name])
  }
  if (schema.anyOf !== undefined) return example(api, schema.anyOf[0], within)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {})
    return Object.fromEntries(fields.map(([name, of]) => [name, example(api, of, within)]))
  }
  if (schema.type === 'array') return [example(api, schema.items, within)]
  if (schema.type === 'boolean') return false
  if (schema.type === 'integer' || schema.type === 'number') return 0
  if (schema.format === 'date-time') return '2026-01-31T12:00:00Z'
  return /^\^-?\[0-9\]/.test(schema.pattern ?? '') ? '0' : ''
}

const pretty = (value) => JSON.stringify(value, null, 2)
const resolve = (api, of) =>
  of.$ref === undefined
    ? of
    : of.$ref
        .split('/')
        .slice(1)
        .reduce((at, part) => at[part], api)

function parameterRow(parameter) {
  const { name, required, schema, description } = parameter
  const of = schema.items ?? schema
  const input = of.enum
    ? element(
        'select',
        {},
        element('option', { value: '' }, ''),
        ...of.enum.map((v) => element('option', {}, v)),
      )
    : element('input', { placeholder: of.type === 'string' ? '' : of.type, spellcheck: false })
  input.ariaLabel = name
  const label = element('td', { className: required ? 'required' : '' }, name)
  const hint = description ?? schema.description ?? of.description ?? of.format ?? ''
  return {
    parameter,
    input,
    row: element(
      'tr',
      {},
      label,
      element('td', {}, input),
      element('td', { className: 'hint' }, ...prose(hint)),
    ),
  }
}

async function send(method, path, rows, bodyInput, output) {
  const headers = {}
  const query = new URLSearchParams()
  let url = path
  for (const { parameter, input } of rows) {
    const { name, in: place, schema } = parameter
    if (place === 'path') {
      const text = parameter.description ? encodeURI(input.value) : encodeURIComponent(input.value)
      url = url.replace(`{${name}}`, () => text)
    } else if (input.value === '') continue
    else if (place === 'header') headers[name] = input.value
    else for (const value of schema.items ? input.value.split(',') : [input.value]) query.append(name, value)
  }
  if (query.size > 0) url += `?${query}`
  if (bodyInput) headers['content-type'] = 'application/json'
  try {
    const answer = await fetch(url, { method, headers, ...(bodyInput && { body: bodyInput.value }) })
    const text = await answer.text()
    let shown = text
    try {
      shown = pretty(JSON.parse(text))
    } catch {}
    output.replaceChildren(
      element('p', { className: 'status' }, `${answer.status} ${method} ${url}`),
      element('pre', {}, shown),
    )
  } catch (error) {
    output.replaceChildren(element('p', { className: 'status' }, `no answer: ${error.message}`))
  }
}

function inside(api, method, path, operation) {
  const rows = (operation.parameters ?? []).map((p) => parameterRow(resolve(api, p)))
  const parts = []
  if (operation.description) parts.push(element('p', {}, ...prose(operation.description)))
  const form = element('form')
  if (rows.length > 0)
    form.append(element('h3', {}, 'Parameters'), element('table', {}, ...rows.map(({ row }) => row)))
  const body = operation.requestBody?.content['application/json'].schema
  const bodyInput = body && element('textarea', { value: pretty(example(api, body)), spellcheck: false })
  if (bodyInput) {
    bodyInput.ariaLabel = 'Body'
    form.append(element('h3', {}, 'Body'), bodyInput)
  }
  const output = element('div')
  form.append(element('p', {}, element('button', {}, 'Send')), output)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send(method.toUpperCase(), path, rows, bodyInput, output)
  })
  parts.push(form, element('h3', {}, 'Answers'))
  for (const [status, of] of Object.entries(operation.responses)) {
    const { description, content } = resolve(api, of)
    const line = element(
      'p',
      {},
      element('span', { className: 'status' }, `${status} `),
      ...prose(description),
    )
    parts.push(line)
    if (status < 400) parts.push(element('pre', {}, pretty(example(api, content['application/json'].schema))))
  }
  return element('div', { className: 'inside' }, ...parts)
}

function routeOf(api, method, path, operation) {
  const route = element(
    'details',
    { className: 'route', id: operation.operationId },
    element(
      'summary',
      {},
      element('span', { className: `method ${method}` }, method.toUpperCase()),
      element('span', { className: 'path' }, path),
      element('span', { className: 'hint' }, operation.summary),
    ),
  )
  route.addEventListener('toggle', () => {
    if (route.open && route.children.length === 1) route.append(inside(api, method, path, operation))
  })
  const link = element('a', { href: `#${operation.operationId}`, title: path }, operation.summary)
  link.addEventListener('click', () => {
    route.open = true
  })
  return { route, link, text: `${method} ${path} ${operation.summary}`.toLowerCase() }
}

async function render() {
  const api = await (await fetch('/openapi.json')).json()
  document.querySelector('#version').textContent = api.info.version
  document.querySelector('#intro').replaceChildren(...prose(api.info.description))
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const groups = api.tags.map(({ name }) => {
    const routes = operations
      .filter(({ operation }) => operation.tags[0] === name)
      .map(({ method, path, operation }) => routeOf(api, method, path, operation))
    const section = element('section', {}, element('h2', {}, name), ...routes.map((r) => r.route))
    const list = element('div', {}, element('h2', {}, name), ...routes.map((r) => r.link))
    document.querySelector('#routes').append(section)
    document.querySelector('#contents').append(list)
    return { section, list, routes }
  })
  document.querySelector('#filter').addEventListener('input', ({ target }) => {
    const wanted = target.value.toLowerCase().split(' ')
    for (const { section, list, routes } of groups) {
      for (const { route, link, text } of routes)
        route.hidden = link.hidden = !wanted.every((word) => text.includes(word))
      section.hidden = list.hidden = routes.every(({ route }) => route.hidden)
    }
  })
  const chosen = location.hash && document.getElementById(location.hash.slice(1))
  if (chosen) {
    chosen.open = true
    chosen.scrollIntoView()
  }
}

render()
