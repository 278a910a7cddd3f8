import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { memoised } from '../../base/cache/memo.ts'
import { escapeHtml } from '../../base/html/escape-html.ts'
import { defineProblem } from '../../base/problem.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import type { Answer } from '../../rest/answer.ts'
import { bytesAnswer, emptyAnswer } from '../../rest/openapi/answers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import type { Route } from '../../rest/route.ts'
import type { Services } from '../../rest/services.ts'
import { redirectTo } from '../sign-in/index.ts'
import { consolePathOf } from './console-address.ts'
import { type ConsoleFiles, readConsoleFiles } from './console-files.ts'
import { pieceRoutes } from './pieces.ts'

const notBuilt = defineProblem(
  'consoleNotBuilt',
  'notFound',
  () => 'The console was not built. Run "npm ci" in the folder of the server, with the packages for development.',
)

const noSuchFile = defineProblem(
  'noSuchConsoleFile',
  'notFound',
  (of: { file: string }) => `The console has no file ${of.file.slice(0, 100)}.`,
)

const otherRepository = defineProblem(
  'consoleShowsDefaultRepository',
  'notFound',
  (of: { repository: string }) => `The console shows the repository default. Read ${of.repository} over the API.`,
)

/**
 * Scripts, styles and calls of this server alone; pictures also from memory, for what is not uploaded yet. The styles that components
 * write while they run carry the number that is made for this page.
 */
const contentSecurityPolicy = (nonce: string) =>
  [
    "default-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "worker-src 'self' blob:",
    "frame-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')

/** What was built is looked at once, when somebody first asks for it. */
const filesBelow = memoised((services: Services) => readConsoleFiles(join(services.programFolder, 'console/dist')))

async function filesOf({ services }: Exchange): Promise<ConsoleFiles> {
  const found = await filesBelow(services)
  if (found === undefined) throw notBuilt({})
  return found
}

/** Every other address is one of the console itself, which reads it. The page says where the server is mounted, for all its links. */
async function answerPage(exchange: Exchange): Promise<Answer> {
  const { page } = await filesOf(exchange)
  const nonce = randomBytes(16).toString('base64url')
  const { pathname } = new URL(`${exchange.request.baseUrl}ui/`)
  const head = `<head><base href="${escapeHtml(pathname)}"><meta property="csp-nonce" content="${nonce}">`
  return {
    kind: 'text',
    status: 200,
    contentType: 'text/html; charset=utf-8',
    text: page.replace('<head>', head),
    headers: { 'Cache-Control': 'no-cache', 'Content-Security-Policy': contentSecurityPolicy(nonce) },
  }
}

const shared = {
  method: 'GET',
  under: 'server',
  answers: { 200: bytesAnswer('The page or file'), 404: 'there is no such file' },
} as const

/** Who has not signed in is asked to before anything is shown, and comes back to the address that they asked for. */
const page = { ...shared, summary: 'The console, at each of its own addresses', handle: answerPage } as const

const routes: readonly Route[] = [
  { ...page, path: '/ui', operationId: 'getConsole' },
  { ...page, path: '/ui/{address+}', operationId: 'getConsolePage' },
  {
    ...shared,
    path: '/ui/assets/{file}',
    operationId: 'getConsoleFile',
    // There is no data in them.
    isPublic: true,
    summary: 'Files of the console, which are named by their content',
    async handle(exchange, { file = '' }) {
      const found = (await filesOf(exchange)).find(`assets/${file}`, String(exchange.request.headers['accept-encoding'] ?? ''))
      if (found === undefined) throw noSuchFile({ file })
      return found
    },
  },
]

const redirected = {
  method: 'GET',
  under: 'server',
  repositoryIn: 'repository',
  answers: { 200: emptyAnswer('a script asks'), 302: 'to the page of the document', 404: 'there is no such repository' },
} as const

/** Addresses of documents as mails, other programs and people have them (`documentURL`): they lead to its page in the console. */
const documentAddresses: readonly Route[] = (['nxdoc', 'nxpath'] as const).map((kind) => ({
  ...redirected,
  path: `/${kind}/{repository}/{address+}`,
  operationId: kind === 'nxdoc' ? 'openDocument' : 'openPath',
  summary: `The page of a document, by its ${kind === 'nxdoc' ? 'id' : 'path'} and whatever view was asked for`,
  async handle({ request }, { repository = '', address = '' }) {
    if (repository !== 'default') throw otherRepository({ repository })
    return redirectTo(request, `${request.baseUrl}ui/${consolePathOf(kind, address)}`)
  },
}))

export default definePlugin({ name: 'console', requires: ['sign-in'], routes: [...routes, ...pieceRoutes, ...documentAddresses] })
