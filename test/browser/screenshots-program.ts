// `npm run screenshots`: the pictures of the README and of docs/console.md, taken of a server that is filled for them.
// `npm run screenshots -- FOLDER` writes every screen there instead, narrow and wide, light and dark, to be looked at.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { launchBrowser, visit } from '../support/browser.ts'
import { corpus } from '../support/conversion/corpus.ts'
import { importTestFile } from '../support/imported-file.ts'

const workspace = '/default-domain/workspaces/spring'

interface Shot {
  readonly name: string
  readonly address: string
  /** What is done before the picture is taken. */
  before?(page: Page): Promise<unknown>
}

const shots: readonly Shot[] = [
  { name: 'home', address: '' },
  { name: 'browse', address: `browse${workspace}` },
  { name: 'gallery', address: `browse${workspace}/photos?layout=gallery` },
  { name: 'document', address: `browse${workspace}/text.pdf` },
  { name: 'search', address: 'search?words=garden' },
  {
    name: 'commands',
    address: `browse${workspace}`,
    async before(page) {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('pl')
      await page.getByRole('option').nth(2).waitFor()
    },
  },
]

const looks = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
].flatMap((viewport) => (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })))

const folder = process.argv[2]
const server = await startTestServer()
const browser = await launchBrowser()
try {
  await fill(server)
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
  for (const shot of shots.filter(({ name }) => name !== 'home')) await take(page, shot, join(place, `console-${shot.name}.png`))
  await leave()
}

async function takeAll(browser: Browser, place: string): Promise<void> {
  await mkdir(place, { recursive: true })
  for (const look of looks) {
    const { page, leave } = await visit(browser, { url: `${server.url}ui/`, user: 'Administrator', ...look })
    for (const shot of shots) await take(page, shot, join(place, `${shot.name}-${look.viewport.width}-${look.colorScheme}.png`))
    await leave()
  }
}

async function take(page: Page, { address, before }: Shot, path: string): Promise<void> {
  await page.goto(`${server.url}ui/${address}`)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await before?.(page)
  await page.screenshot({ path })
}

/** Something to look at: a team that plans a garden. */
async function fill({ as }: TestServer): Promise<void> {
  const administrator = as('Administrator')
  const create = (parent: string, type: string, name: string, properties: object) =>
    administrator.post(`/path${parent}`, { 'entity-type': 'document', type, name, properties })
  await create('/default-domain/workspaces', 'Workspace', 'spring', { 'dc:title': 'Spring garden' })
  for (const title of ['Contracts', 'Drawings', 'Photos', 'Plants'])
    await create(workspace, 'Folder', title.toLowerCase(), { 'dc:title': title })
  const texts = [
    'Planting plan',
    'Minutes of the first meeting',
    'Budget for the garden',
    'Letter to the neighbours',
    'Watering plan',
  ]
  for (const [number, title] of texts.entries())
    await create(workspace, 'Note', `note-${number}`, {
      'dc:title': title,
      'dc:description': 'What we want to do in the garden',
      'dc:nature': number % 2 === 0 ? 'article' : 'report',
      'dc:subjects': ['art/architecture'],
      'note:note': 'The garden will have three beds, a pond and a bench under the old pear tree.',
    })
  for (const file of corpus.filter(({ name }) => /^(?:text\.(?:pdf|docx)|table\.xlsx)$/.test(name)))
    await importTestFile(server, workspace, { name: file.name, type: file.mimeType, content: file.bytes() })
  for (const [number, colour] of ['#7a9e5a', '#d9a441', '#b5533c', '#5b83b0', '#8d6aa8', '#3f7f6c'].entries())
    await importTestFile(server, `${workspace}/photos`, {
      name: `Bed ${number + 1}.svg`,
      type: 'image/svg+xml',
      content: drawingOf(colour, number),
    })
}

/** A hill, a sun and some flowers. */
function drawingOf(colour: string, number: number): string {
  const flowers = Array.from({ length: 9 }, (_, index) => {
    const [x, y] = [20 + ((index * 67 + number * 31) % 360), 190 + ((index * 29 + number * 17) % 70)]
    return `<circle cx="${x}" cy="${y}" r="${6 + (index % 3) * 3}" fill="${colour}"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300"><rect width="400" height="300" fill="#dfeaf2"/>
<circle cx="${80 + number * 45}" cy="70" r="32" fill="#f4d06f"/><path d="M0 190Q120 ${110 + number * 8} 240 180T400 160V300H0Z" fill="#a9c08f"/>${flowers.join('')}</svg>`
}
