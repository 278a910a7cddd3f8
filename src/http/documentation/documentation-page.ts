import { escapeHtml } from '../../base/html/escape-html.ts'
import {
  headersOf,
  type JsonSchema,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  ownParameters,
} from '../../rest/openapi/openapi.ts'
import { groupTags, type TagGroup } from '../../rest/openapi/tag-groups.ts'
import { type HtmlPage, pageStyle, renderCode } from '../../rest/page.ts'
import { curlLine } from './curl-line.ts'

/** The OpenAPI document as one page that needs nothing else: readable without scripts, filtered with a few lines of one. */
export function renderDocumentationPage(document: OpenApiDocument, baseUrl: string): HtmlPage {
  const { title, version, description } = document.info
  const groups = groupTags(document.tags.map(({ name }) => name))
  const schemas = Object.entries(document.components.schemas).map(renderSchema).join('')
  const headers = Object.values(document.components.parameters).filter((one) => one.in === 'header')
  const body = `<header>
<h1>${escapeHtml(title)} <small>${escapeHtml(version)}</small></h1>
<p>${renderCode(description)}</p>
<p>Each address comes with a line for a shell, which asks for the password of <code>Administrator</code>; words in CAPITALS are for you to
replace. For programs: <a href="openapi.json">openapi.json</a></p>
<nav>${[...groups.map((group) => group.title), 'Headers', 'Schemas'].map(renderLink).join(' ')}</nav>
</header>
<div class="bar"><input id="filter" type="search" placeholder="Filter by path, method or words" aria-label="Filter"></div>
<main>${groups.map((group) => renderGroup(document, baseUrl, group)).join('')}
<section id="${idOf('Headers')}"><h2>Headers</h2>${headers.map(renderHeader).join('')}</section>
<section id="${idOf('Schemas')}"><h2>Schemas</h2>${schemas}</section></main>`
  return { title, body, style: `${pageStyle}${style}`, script }
}

function renderLink(title: string): string {
  return `<a href="#${idOf(title)}">${escapeHtml(title)}</a>`
}

function idOf(title: string): string {
  return escapeHtml(`group-${title.toLowerCase().replaceAll(/[^\w.-]+/g, '-')}`)
}

function renderGroup(document: OpenApiDocument, baseUrl: string, { title, tags }: TagGroup): string {
  const paths = Object.entries(document.paths).sort(([left], [right]) => blanksIn(left) - blanksIn(right))
  const operations = tags.flatMap((tag) =>
    paths.flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.tags.includes(tag))
        .map(([method, operation]) => {
          const curl = curlLine(baseUrl, method, path, operation, document.components.schemas)
          return renderOperation(method, path, operation, curl, headersOf(document, operation))
        }),
    ),
  )
  return `<section id="${idOf(title)}"><h2>${escapeHtml(title)}</h2>${operations.join('')}</section>`
}

/** What needs to be told least comes first. */
function blanksIn(path: string): number {
  return path.split('{').length
}

function renderOperation(
  method: string,
  path: string,
  operation: OpenApiOperation,
  curl: string,
  headers: readonly OpenApiParameter[],
): string {
  const { operationId, summary, requestBody, responses } = operation
  const parameters = ownParameters(operation)
  const words = escapeHtml(`${method} ${path} ${summary}`.toLowerCase().replaceAll('`', ''))
  const body = requestBody && `<h3>Body${requestBody.required ? '' : ', optional'}</h3>${renderBody(requestBody.content)}`
  return `<details data-words="${words}" id="${escapeHtml(operationId)}">
<summary><b class="${method}">${method.toUpperCase()}</b> <code>${renderPath(path)}</code> <span>${renderCode(summary)}</span>${operation.security === undefined ? '' : ' <i>public</i>'}</summary>
<h3>Try it <a href="#${escapeHtml(operationId)}">link to this</a></h3><pre class="shell">${escapeHtml(curl)}</pre>
${parameters.length === 0 ? '' : `<h3>Parameters</h3><table>${parameters.map(renderParameter).join('')}</table>`}
${headers.length === 0 ? '' : `<h3>Headers</h3><p>${headers.map(renderHeaderLink).join(' ')}</p>`}
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

/** Most calls heed the same ones, so they are told of once. */
function renderHeaderLink({ name }: OpenApiParameter): string {
  return `<a href="#header-${escapeHtml(name)}"><code>${escapeHtml(name)}</code></a>`
}

function renderHeader({ name, description = '', schema }: OpenApiParameter): string {
  const words = escapeHtml(`${name} ${description}`.toLowerCase().replaceAll('`', ''))
  return `<details data-words="${words}" id="header-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary>
<table><tr><td><code>${showType(schema)}</code></td><td>${renderCode(description)}</td></tr></table></details>`
}

function renderAnswer([status, { description, content }]: [string, OpenApiOperation['responses'][string]]): string {
  // Nearly every error looks like the last one in the list.
  const shape = content === undefined || Number(status) >= 400 ? '' : renderBody(content)
  return `<tr><td><code>${status}</code></td><td>${renderCode(description)}${shape}</td></tr>`
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
    const note = typeof schema['description'] === 'string' ? `  <em>${renderCode(schema['description'])}</em>` : ''
    return `${deeper}${escapeHtml(name)}${required.includes(name) ? '' : '?'}: ${showType(schema, deeper)}${note}`
  })
  return lines.length === 0 ? '{ … }' : `{\n${lines.join('\n')}\n${indent}}`
}

function showReference(reference: string): string {
  const name = escapeHtml(reference.slice(reference.lastIndexOf('/') + 1))
  return `<a href="#schema-${name}">${name}</a>`
}

// Nothing that is jumped to may come to lie under the bar, which stays.
const style = `
header { padding: 1rem 0 .25rem } h1 { margin: 0; font-size: 1.4rem } h1 small { font-weight: normal; color: var(--dim) }
header p { margin: .25rem 0 .5rem; color: var(--dim) } nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem }
.bar { position: sticky; top: 0; z-index: 1; padding: .5rem 0; background: Canvas; border-bottom: 1px solid var(--line) }
[id] { scroll-margin-top: 4.25rem }
input { width: 100%; padding: .5rem .75rem; font: 16px system-ui, sans-serif; border: 1px solid var(--line); border-radius: 6px; background: var(--soft); color: inherit }
h2 { margin: 1.75rem 0 .5rem; font-size: 1rem } h3 { margin: .75rem 0 .25rem; font-size: .85rem; color: var(--dim) }
h3 a { margin-left: .5rem; font-weight: normal }
details { border: 1px solid var(--line); border-radius: 6px; margin: .35rem 0; padding: 0 .75rem } details:target { border-color: light-dark(#0969da, #58a6ff) }
details[open] { padding-bottom: .75rem } summary { padding: .45rem 0; cursor: pointer } summary span { color: var(--dim) }
summary i { font-size: .8rem; border: 1px solid var(--line); border-radius: 4px; padding: 0 .35rem }
var { font-style: normal; color: light-dark(#8250df, #c297ff) } pre em { color: var(--dim) }
table { width: 100%; border-collapse: collapse } td { padding: .25rem .75rem .25rem 0; border-top: 1px solid var(--line); vertical-align: top }
td:not(:last-child) { overflow-wrap: normal }
summary b { display: inline-block; width: 4.2rem; font: bold 12px ui-monospace, monospace }
.get { color: light-dark(#0969da, #58a6ff) } .post { color: light-dark(#1a7f37, #3fb950) }
.put { color: light-dark(#9a6700, #d29922) } .delete { color: light-dark(#cf222e, #ff7b72) }
[hidden] { display: none }
@media (max-width: 40rem) {
  body { padding: 0 .75rem 4rem }
  summary span { display: block }
  table, tbody { display: block }
  tr { display: block; border-top: 1px solid var(--line); padding: .25rem 0 }
  td { display: inline-block; border: 0; padding: 0 .5rem 0 0 } td:last-child { display: block }
}`

const script = `
const filter = document.getElementById('filter')
const apply = () => {
  const words = filter.value.toLowerCase().split(/\\s+/)
  for (const section of document.querySelectorAll('section')) {
    const entries = [...section.querySelectorAll('details')]
    for (const entry of entries) entry.hidden = !words.every((word) => entry.dataset.words.includes(word))
    section.hidden = entries.every((entry) => entry.hidden)
  }
}
const show = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!target) return
  if (target.hidden || target.closest('[hidden]')) { filter.value = ''; apply() }
  if (target.localName === 'details') target.open = true
  target.scrollIntoView()
}
filter.addEventListener('input', apply)
addEventListener('hashchange', show)
show()`
