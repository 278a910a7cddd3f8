import { escapeHtml } from '../../base/escape-html.ts'
import type { Answer } from '../../rest/answer.ts'
import { pageAnswer, pageStyle } from '../../rest/page.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { prefersHtml } from '../request/request-headers.ts'
import { shellWord } from './curl-line.ts'

/** What a person is told whose browser was led to the server itself, where there is nothing for programs. */
export function createWelcome(basePath: string): (request: IncomingRequest) => Answer | undefined {
  return (request) => {
    const { path, method, headers, baseUrl } = request
    const isRoot = path === '/' || path === basePath || path === `${basePath}/`
    if (!isRoot || !['GET', 'HEAD'].includes(method) || !prefersHtml(headers.accept)) return undefined
    return pageAnswer({ title: 'Quire', style: `${pageStyle}${style}`, body: renderWelcome(linkPrefix(basePath, path), baseUrl) })
  }
}

/** From the page to the context root, by links that hold wherever a proxy shows it. */
function linkPrefix(basePath: string, path: string): string {
  if (path === `${basePath}/`) return ''
  return path === '/' ? `${basePath.slice(1)}/` : `${basePath.slice(basePath.lastIndexOf('/') + 1)}/`
}

function renderWelcome(prefix: string, baseUrl: string): string {
  const link = (path: string, text: string) => `<a href="${escapeHtml(prefix + path)}">${text}</a>`
  const first = `curl -u Administrator ${shellWord(`${baseUrl}api/v1/path/default-domain`)}`
  return `<main>
<h1>Quire</h1>
<p>A document-management server runs here. It keeps files, notes and records as typed documents in a tree, with versions, permissions
and lifecycles, and programs reach all of it over one REST API.</p>
<h2>The first request</h2>
<p>It reads the folder that every repository starts with, and asks for the password of <code>Administrator</code>.</p>
<pre class="shell">${escapeHtml(first)}</pre>
<h2>The API</h2>
<p>${link('api/v1/doc/', 'Every address')}, with what it takes, what it answers, and a line for <code>curl</code> to try it with. The same
for programs: ${link('api/v1/openapi.json', 'openapi.json')}.</p>
<h2>The documentation</h2>
<p>It lies where Quire is installed, in <code>node_modules/quire/docs</code> or the folder <code>docs</code> of the sources:</p>
<ul>
<li><code>api.md</code>: the API in short, by examples</li>
<li><code>operating.md</code>: settings, PostgreSQL, files, logs</li>
<li><code>extending.md</code>: document types, listeners and operations of your own</li>
</ul>
</main>`
}

const style = `
body { max-width: 40rem; font-size: 16px } main { padding-top: 2rem }
h1 { margin: 0; font-size: 2rem } h2 { margin: 2rem 0 .25rem; font-size: 1.05rem } p { margin: .5rem 0 }
ul { margin: .5rem 0; padding-left: 1.25rem }`
