import { escapeHtml } from '../base/escape-html.ts'
import type { JsonSchema, OpenApiDocument, OpenApiOperation, OpenApiParameter } from '../rest/openapi.ts'

/** The OpenAPI document as one page that needs nothing else: readable without scripts, filtered with a few lines of one. */
export function renderDocumentationPage(document: OpenApiDocument): string {
  const { title, version, description } = document.info
  const groups = document.tags.map(({ name }) => renderGroup(document, name)).join('')
  const schemas = Object.entries(document.components.schemas).map(renderSchema).join('')
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)} <small>${escapeHtml(version)}</small></h1>
<p>${renderCode(description)} <a href="openapi.json">openapi.json</a></p>
<input id="filter" type="search" placeholder="Filter by path, method or words" aria-label="Filter" autofocus>
</header>
<main>${groups}<section><h2>Schemas</h2>${schemas}</section></main>
<script>${script}</script>
</body>
</html>
`
}

function renderGroup(document: OpenApiDocument, tag: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => renderOperation(method, path, operation)),
  )
  return `<section><h2>${escapeHtml(tag)}</h2>${operations.join('')}</section>`
}

function renderOperation(method: string, path: string, operation: OpenApiOperation): string {
  const { summary, parameters, requestBody, responses } = operation
  const words = escapeHtml(`${method} ${path} ${summary}`.toLowerCase())
  const body = requestBody && `<h3>Body${requestBody.required ? '' : ', optional'}</h3>${renderBody(requestBody.content)}`
  return `<details data-words="${words}" id="${escapeHtml(operation.operationId)}">
<summary><b class="${method}">${method.toUpperCase()}</b> <code>${renderPath(path)}</code> <span>${escapeHtml(summary)}</span>${operation.security === undefined ? '' : ' <i>public</i>'}</summary>
${parameters.length === 0 ? '' : `<h3>Parameters</h3><table>${parameters.map(renderParameter).join('')}</table>`}
${body ?? ''}
<h3>Answers</h3><table>${Object.entries(responses).map(renderAnswer).join('')}</table>
</details>`
}

/** JSON is what is meant where nothing is said. */
function renderBody(content: NonNullable<OpenApiOperation['requestBody']>['content']): string {
  return Object.entries(content)
    .map(
      ([type, { schema }]) =>
        (type === 'application/json' ? '' : `<p><code>${escapeHtml(type)}</code></p>`) + renderShape(schema),
    )
    .join('')
}

function renderPath(path: string): string {
  return escapeHtml(path).replace(/\{[^}]+\}/g, '<var>$&</var>')
}

function renderParameter({ name, in: place, required, description = '', schema }: OpenApiParameter): string {
  const kind = `${place}${required ? '' : ', optional'}`
  return `<tr><td><code>${escapeHtml(name)}</code></td><td>${kind}</td><td><code>${showType(schema)}</code></td><td>${renderCode(description)}</td></tr>`
}

function renderAnswer([status, { description, content }]: [string, OpenApiOperation['responses'][string]]): string {
  const shape = content === undefined ? '' : renderShape(content['application/json'].schema)
  return `<tr><td><code>${status}</code></td><td>${escapeHtml(description)}${shape}</td></tr>`
}

function renderSchema([name, schema]: [string, JsonSchema]): string {
  const words = escapeHtml(name.toLowerCase())
  return `<details data-words="${words}" id="schema-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary>${renderShape(schema)}</details>`
}

function renderShape(schema: JsonSchema): string {
  return `<pre>${showType(schema)}</pre>`
}

/** A schema in the notation programmers read fastest: `{ name: string, age?: integer }`. */
function showType(schema: JsonSchema, indent = ''): string {
  const { $ref, type, anyOf, items, properties, required } = schema
  if (typeof $ref === 'string') return showReference($ref)
  if ('const' in schema) return escapeHtml(JSON.stringify(schema['const']))
  if (Array.isArray(schema['enum'])) return escapeHtml(schema['enum'].map((value) => JSON.stringify(value)).join(' | '))
  if (Array.isArray(anyOf)) return anyOf.map((one) => showType(one, indent)).join(' | ')
  if (type === 'array') return `${showType((items ?? {}) as JsonSchema, indent)}[]`
  if (type === 'object')
    return showObject((properties ?? {}) as { [name: string]: JsonSchema }, (required ?? []) as string[], indent)
  return typeof type === 'string' ? type : 'any'
}

function showObject(properties: { readonly [name: string]: JsonSchema }, required: readonly string[], indent: string): string {
  const deeper = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const note = typeof schema['description'] === 'string' ? `  <em>${escapeHtml(schema['description'])}</em>` : ''
    return `${deeper}${escapeHtml(name)}${required.includes(name) ? '' : '?'}: ${showType(schema, deeper)}${note}`
  })
  return lines.length === 0 ? '{ … }' : `{\n${lines.join('\n')}\n${indent}}`
}

function showReference(reference: string): string {
  const name = escapeHtml(reference.slice(reference.lastIndexOf('/') + 1))
  return `<a href="#schema-${name}">${name}</a>`
}

function renderCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#d9dee5, #353b45); --soft: light-dark(#f5f7f9, #1d2128); --dim: light-dark(#5c6673, #9aa4b2) }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 64rem; padding: 0 1.25rem 4rem; font: 15px/1.5 system-ui, sans-serif }
header { position: sticky; top: 0; padding: 1rem 0 .75rem; background: Canvas; border-bottom: 1px solid var(--line); z-index: 1 }
h1 { margin: 0; font-size: 1.4rem } h1 small { font-weight: normal; color: var(--dim) }
header p { margin: .25rem 0 .75rem; color: var(--dim) }
input { width: 100%; padding: .5rem .75rem; font: inherit; border: 1px solid var(--line); border-radius: 6px; background: var(--soft) }
h2 { margin: 1.75rem 0 .5rem; font-size: 1rem } h3 { margin: .75rem 0 .25rem; font-size: .85rem; color: var(--dim) }
details { border: 1px solid var(--line); border-radius: 6px; margin: .35rem 0; padding: 0 .75rem }
details[open] { padding-bottom: .75rem } summary { padding: .45rem 0; cursor: pointer } summary span { color: var(--dim) }
summary i { font-size: .8rem; border: 1px solid var(--line); border-radius: 4px; padding: 0 .35rem }
code, pre { font: 13px/1.5 ui-monospace, monospace } var { font-style: normal; color: light-dark(#8250df, #c297ff) }
pre { margin: .25rem 0; padding: .5rem .75rem; background: var(--soft); border-radius: 6px; overflow: auto } pre em { color: var(--dim) }
table { width: 100%; border-collapse: collapse } td { padding: .25rem .75rem .25rem 0; border-top: 1px solid var(--line); vertical-align: top }
b { display: inline-block; width: 4.2rem; font: bold 12px ui-monospace, monospace }
.get { color: light-dark(#0969da, #58a6ff) } .post { color: light-dark(#1a7f37, #3fb950) }
.put { color: light-dark(#9a6700, #d29922) } .delete { color: light-dark(#cf222e, #ff7b72) }
[hidden] { display: none }`

const script = `
const filter = document.getElementById('filter')
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\\s+/)
  for (const section of document.querySelectorAll('section')) {
    const entries = [...section.querySelectorAll('details')]
    for (const entry of entries) entry.hidden = !words.every((word) => entry.dataset.words.includes(word))
    section.hidden = entries.every((entry) => entry.hidden)
  }
})
const target = location.hash && document.getElementById(location.hash.slice(1))
if (target) target.open = true
addEventListener('hashchange', () => { const entry = document.getElementById(location.hash.slice(1)); if (entry) entry.open = true })`
