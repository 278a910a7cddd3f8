import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { administrationScreens } from '../support/administration.ts'
import { findBarriers, launchBrowser, visit } from '../support/browser.ts'
import { failEachCall, fillGarden, screensOf, showScreen } from '../support/console-screens.ts'
import type { EngineName } from '../support/database-place.ts'
import { droppedNames, dropWhileOffline, namesIn } from '../support/dropped-folder.ts'
import { aStoredChild } from '../support/stored-document.ts'
import { judgeList, report, scroll, tasksWhile, untilShown } from './console-measures.ts'
import { onStressPlace } from './stress-place.ts'

const interactiveMs = 1_000
const slowdown = 4
const buildSeconds = 40
const insertedAtOnce = 2_000
const droppedFiles = 200

/** What the console promises of its speed: a folder of so many children, the first view on a slow machine, and a dropped folder. */
export function stressConsole(engine: EngineName, documents: number): Promise<boolean> {
  return beforeBrowser(engine, async (browser, server) => {
    await fillFolder(server, documents)
    const isListQuick = await tryLongFolder(engine, browser, server, documents)
    const isFirstQuick = await tryFirstView(engine, browser, server)
    const hasAllArrived = await tryDroppedFolder(engine, browser, server)
    const areScreensSound = await tryScreens(engine, browser, server)
    return isListQuick && isFirstQuick && hasAllArrived && areScreensSound
  })
}

/** Only whether every screen is accessible, fits, and outlives the failure of each of its requests. */
export function stressConsoleScreens(engine: EngineName): Promise<boolean> {
  return beforeBrowser(engine, (browser, server) => tryScreens(engine, browser, server))
}

export async function beforeBrowser(
  engine: EngineName,
  attempt: (browser: Browser, server: TestServer) => Promise<boolean>,
): Promise<boolean> {
  const browser = await launchBrowser()
  try {
    return await onStressPlace(engine, async (place) => {
      const server = await startTestServer({ settings: place.settings })
      try {
        return await attempt(browser, server)
      } finally {
        await server.stop()
      }
    })
  } finally {
    await browser.close()
  }
}

async function fillFolder(server: TestServer, documents: number): Promise<void> {
  const folder = { 'entity-type': 'document', type: 'Workspace', name: 'many', properties: { 'dc:title': 'Many' } }
  await server.as('Administrator').post('/path/default-domain/workspaces', folder)
  for (let start = 0; start < documents; start += insertedAtOnce) {
    await server.asSystem(async (session) => {
      const parent = await session.tx.documents.findByPath('/default-domain/workspaces/many')
      if (parent === undefined) throw new Error('There is nowhere to put so many.')
      const items = Array.from({ length: Math.min(insertedAtOnce, documents - start) }, (_, index) =>
        aStoredChild(parent, `item-${start + index}`, { type: 'File', properties: { 'dc:title': titleOf(start + index) } }),
      )
      await session.tx.documents.insertMany(items)
    })
  }
}

const titleOf = (index: number) => `Item ${String(index).padStart(6, '0')}`

async function tryLongFolder(engine: EngineName, browser: Browser, server: TestServer, documents: number): Promise<boolean> {
  const { page, leave } = await visit(browser, { url: `${server.url}ui/browse/default-domain/workspaces`, user: 'Administrator' })
  const link = page.getByRole('link', { name: 'Many' })
  const rounds: number[] = []
  for (let round = 0; round < 5; round += 1) {
    await page.goto(`${server.url}ui/browse/default-domain/workspaces`)
    await link.waitFor()
    // From the click, as somebody counts it who did not hover before.
    rounds.push(await page.evaluate<number>(untilShown(titleOf(0), 'document.querySelector(\'a[href$="/many"]\').click()')))
  }
  await page.getByRole('grid').focus()
  const tasks = await tasksWhile(browser, page, async () => {
    await scroll(page)
    for (const key of ['End', 'PageUp', 'PageUp', 'Home', 'PageDown']) {
      await page.keyboard.press(key)
      await page.waitForLoadState('networkidle')
    }
    await page.keyboard.press('End')
    await page.getByText(titleOf(documents - 1)).waitFor()
  })
  await leave()
  const { isQuick, figures } = judgeList(rounds, tasks)
  return report(isQuick, engine, `${documents} children: ${figures}`)
}

/** From the address to a page whose parts answer, with nothing kept by the browser and the processor slowed down. */
async function tryFirstView(engine: EngineName, browser: Browser, server: TestServer): Promise<boolean> {
  const { page, leave } = await visit(browser, { url: `${server.url}ui/`, user: 'Administrator' })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const rounds: { readonly isCold: boolean; readonly ms: number }[] = []
  for (const isCold of [true, false, true, false, true, false]) {
    if (isCold) await devtools.send('Network.clearBrowserCache')
    await page.goto(`${server.url}ui/`, { waitUntil: 'commit' })
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    // Answers once everything that was begun before is done.
    const ms = await page.evaluate<number>('new Promise((resolve) => setTimeout(() => resolve(performance.now())))')
    rounds.push({ isCold, ms })
  }
  await leave()
  const best = (cold: boolean) => Math.min(...rounds.filter(({ isCold }) => isCold === cold).map(({ ms }) => ms))
  const figures = `${best(true).toFixed(0)} ms with nothing kept, ${best(false).toFixed(0)} ms later`
  return report(best(true) <= interactiveMs, engine, `first view, processor slowed ${slowdown} times: ${figures}`)
}

/** A folder of 200 files while the network is lost: all arrive, none twice. */
async function tryDroppedFolder(engine: EngineName, browser: Browser, server: TestServer): Promise<boolean> {
  const place = '/default-domain/workspaces/dropped'
  const folder = { 'entity-type': 'document', type: 'Workspace', name: 'dropped', properties: { 'dc:title': 'Dropped' } }
  await server.as('Administrator').post('/path/default-domain/workspaces', folder)
  const { page, leave } = await visit(browser, { url: `${server.url}ui/browse${place}`, user: 'Administrator' })
  await dropWhileOffline(page, droppedFiles)
  await leave()
  const names = await namesIn(server, `${place}/Pictures`)
  const isSound = names.join() === droppedNames(droppedFiles).join()
  return report(
    isSound,
    engine,
    `a dropped folder of ${droppedFiles} files, the network lost on the way: ${names.length} arrived`,
  )
}

/** Every screen in every mode and width has no barrier and fits; each request of each fails in turn, and the rest of it stays. */
async function tryScreens(engine: EngineName, browser: Browser, server: TestServer): Promise<boolean> {
  await fillGarden(server)
  const screens = await screensOf(server)
  const looked = [...screens, ...administrationScreens]
  const base = `${server.url}ui/`
  const flaws: string[] = []
  let looks = 0
  for (const [colorScheme, width, locale] of [
    ['light', 1440, 'en-US'],
    ['dark', 1024, 'fr-FR'],
    ['light', 390, 'fr-FR'],
    ['dark', 360, 'en-US'],
  ] as const) {
    const { page, leave } = await visit(browser, {
      url: base,
      user: 'Administrator',
      colorScheme,
      viewport: { width, height: 844 },
      locale,
    })
    for (const screen of looked.filter(({ isWide = false }) => !isWide || width > 900)) {
      await showScreen(page, base, screen)
      flaws.push(...(await findBarriers(page)).map((barrier) => `${screen.name} ${colorScheme} ${width}: ${barrier}`))
      if (!(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')))
        flaws.push(`${screen.name} ${width}: too wide`)
      looks += 1
    }
    await leave()
  }
  const { page, leave } = await visit(browser, { url: base, user: 'Administrator' })
  const plain = screens.filter(({ before }) => before === undefined)
  const { silent, said, refused } = await failEachCall(page, base, plain, { isOnce: false })
  await leave()
  const shown = [...flaws, ...silent.map((one) => `lost more than what failed: ${one}`)]
  const figures = `${looked.length} screens looked at ${looks} times; ${refused} requests of ${plain.length} of them refused in turn, ${said.length} told of`
  return report(shown.length === 0, engine, `${figures}; ${shown.length} flaws ${shown.join('\n  ')}`)
}

/** Into a folder of its own, as a fresh machine builds it. */
export async function stressConsoleBuild(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-console-'))
  try {
    const begun = performance.now()
    const vite = join(import.meta.dirname, '../../node_modules/vite/bin/vite.js')
    const build = spawn(process.execPath, [vite, 'build', '--outDir', folder, '--logLevel', 'warn'], {
      cwd: join(import.meta.dirname, '../../console'),
      stdio: 'inherit',
    })
    const [code] = (await once(build, 'exit')) as [number]
    const seconds = (performance.now() - begun) / 1_000
    return report(code === 0 && seconds < buildSeconds, 'build', `${seconds.toFixed(1)} s without compression`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
