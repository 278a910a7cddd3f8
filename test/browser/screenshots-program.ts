// `npm run screenshots`: the pictures of the README, of docs/console.md and docs/extending.md, taken of a server that is filled for them.
// `npm run screenshots -- FOLDER` writes every screen there instead, narrow and wide, light and dark, to be looked at;
// `npm run screenshots -- FOLDER 390-dark 1024-light` only so.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import invoices from '../../examples/invoices/invoices.ts'
import { startTestServer } from '../../src/testing.ts'
import { launchBrowser, visit } from '../support/browser.ts'
import { officeScreens, prepareOffice } from '../support/console-office.ts'
import { fillGarden, type Screen, screensOf, showScreen } from '../support/console-screens.ts'

const inDocs = ['browse', 'gallery', 'document', 'search', 'commands', 'plugin-list', 'plugin-form', 'plugin-tab']

const looks = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
].flatMap((viewport, index) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme, locale: index === 2 ? 'fr-FR' : 'en-US' })),
)

const [folder, ...chosen] = process.argv.slice(2)
const nameOf = ({ viewport, colorScheme }: (typeof looks)[number]) => `${viewport.width}-${colorScheme}`
const server = await startTestServer({ plugins: [invoices] })
const browser = await launchBrowser()
try {
  await fillGarden(server)
  await prepareOffice(server)
  if (folder === undefined) await takeForDocs(browser, join(import.meta.dirname, '../../docs/pictures'))
  else await takeAll(browser, folder)
} finally {
  await browser.close()
  await server.stop()
}

async function takeForDocs(browser: Browser, place: string): Promise<void> {
  await mkdir(place, { recursive: true })
  const viewport = { width: 1200, height: 750 }
  const { page, leave } = await visit(browser, { url: `${server.url}ui/`, user: 'Administrator', viewport })
  for (const screen of [...(await screensOf(server)), ...officeScreens].filter(({ name }) => inDocs.includes(name)))
    await take(page, screen, join(place, `console-${screen.name}.png`))
  await leave()
}

async function takeAll(browser: Browser, place: string): Promise<void> {
  await mkdir(place, { recursive: true })
  const screens = [...(await screensOf(server)), ...officeScreens]
  for (const look of looks.filter((one) => chosen.length === 0 || chosen.includes(nameOf(one)))) {
    const { page, leave } = await visit(browser, { url: `${server.url}ui/`, user: 'Administrator', ...look })
    const fitting = screens.filter(({ isWide = false }) => !isWide || look.viewport.width > 900)
    for (const screen of fitting)
      await take(page, screen, join(place, `${screen.name}-${nameOf(look)}.png`)).catch((error: Error) =>
        console.error(`${screen.name} ${look.viewport.width}: ${error.message.split('\n')[0]}`),
      )
    await leave()
  }
}

async function take(page: Page, screen: Screen, path: string): Promise<void> {
  await showScreen(page, `${server.url}ui/`, screen)
  await page.screenshot({ path })
}
