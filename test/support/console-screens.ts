import type { Page } from 'playwright-core'
import type { TestServer } from '../../src/testing.ts'
import { settle } from './browser.ts'
import { corpus } from './conversion/corpus.ts'
import { importTestFile } from './imported-file.ts'
import { smallPicture, smallVideo } from './small-media.ts'
import { requireStatus } from './workbench.ts'
import { workflowsOn } from './workflows.ts'

const workspace = '/default-domain/workspaces/spring'

/** A screen of the console, or a part of one that unfolds, in either language. */
export interface Screen {
  readonly name: string
  readonly address: string
  /** What is done before it is looked at. */
  before?(page: Page): Promise<unknown>
  /** Only where there is room for it. */
  readonly isWide?: boolean
  /** Unfolds something that the next screen does not have. */
  readonly covers?: boolean
}

const press = (name: RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const inMain = (name: RegExp) => (page: Page) => page.getByRole('main').getByRole('button', { name }).first().click()
const dialog = (open: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await open(page)
  await page.getByRole('dialog').waitFor()
}
const menu = (open: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await open(page)
  await page.getByRole('menu').waitFor()
}
const drawer = (place: RegExp) => async (page: Page) => {
  await page
    .getByRole('navigation', { name: /^(Main|Principal)$/ })
    .getByRole('button', { name: place })
    .click()
  await page.getByRole('complementary', { name: place }).waitFor()
}
const onFirstRow = (key: string) => async (page: Page) => {
  await page.getByRole('grid').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press(key)
}

/** Every screen that is not of the administration, with what unfolds on it. */
export async function screensOf(server: TestServer): Promise<readonly Screen[]> {
  const admin = server.as('Administrator')
  const { entries } = (await admin.get('/task?userId=Administrator')).body
  const { uid } = (await admin.get(`/path${workspace}/note-0`)).body
  const nxql = encodeURIComponent(`SELECT * FROM Document WHERE ecm:versionVersionableId = '${uid}' AND ecm:isVersion = 1`)
  const versions = (await admin.get(`/search/lang/NXQL/execute?query=${nxql}`)).body.entries as readonly {
    readonly uid: string
  }[]
  const [one, other] = versions.map((version) => version.uid)
  const at = (name: string) => `browse${workspace}${name}`
  return [
    { name: 'home', address: '' },
    { name: 'browse', address: at('') },
    { name: 'columns', address: at(''), before: menu(press(/^(Columns|Colonnes)$/)), covers: true },
    { name: 'account', address: at(''), before: menu(press(/^(Account of|Compte)/)), covers: true },
    { name: 'notifications', address: at(''), before: dialog(press(/Notifications?$/i)), covers: true },
    { name: 'create', address: at(''), before: dialog(inMain(/^(New|Nouveau)$/)), covers: true },
    { name: 'rename', address: at(''), before: dialog(onFirstRow('F2')), covers: true },
    { name: 'selection', address: at(''), before: onFirstRow('Space') },
    { name: 'grid', address: `${at('')}?layout=tiles` },
    { name: 'gallery', address: `${at('/photos')}?layout=gallery` },
    { name: 'empty', address: at('/contracts') },
    { name: 'nothing-fits', address: `${at('')}?filter=zzz` },
    { name: 'look', address: `${at('/photos')}?layout=list`, before: dialog(onFirstRow('p')), covers: true },
    {
      name: 'commands',
      address: at(''),
      async before(page) {
        await page.keyboard.press('Control+k')
        await page.keyboard.type('pl')
        await page.getByRole('option').nth(2).waitFor()
      },
      covers: true,
    },
    { name: 'keys', address: at(''), before: dialog((page) => page.keyboard.press('?')), covers: true },
    { name: 'document', address: at('/text.pdf') },
    { name: 'annotate', address: at('/text.pdf'), before: inMain(/^(Annotate|Annoter)$/) },
    { name: 'download', address: at('/text.pdf'), before: menu(inMain(/^(Download|Télécharger)$/)), covers: true },
    { name: 'add-to', address: at('/text.pdf'), before: menu(inMain(/^(Add to|Ajouter à)$/)), covers: true },
    {
      name: 'relate',
      address: at('/note-0'),
      before: dialog(inMain(/^(Relate|Relier)$/)),
      covers: true,
    },
    { name: 'picture', address: at('/photos/blue.png') },
    { name: 'video', address: at('/blue.webm') },
    { name: 'office', address: at('/text.docx') },
    { name: 'table', address: at('/costs.csv') },
    { name: 'note', address: at('/note-0') },
    { name: 'edit', address: at('/note-0'), before: inMain(/^(Edit|Modifier)$/) },
    { name: 'workflow', address: `${at('/note-1')}?tab=workflow` },
    { name: 'versions', address: `${at('/note-0')}?tab=versions` },
    {
      name: 'new-version',
      address: `${at('/note-0')}?tab=versions`,
      before: dialog(inMain(/^(New version|Nouvelle version)$/)),
      covers: true,
    },
    { name: 'comparison', address: `${at('/note-0')}?tab=versions&version=${one}&with=${other}` },
    { name: 'version', address: `${at('/note-0')}?tab=versions&version=${one}` },
    { name: 'publishing', address: `${at('/note-0')}?tab=publishing` },
    {
      name: 'publish',
      address: `${at('/note-0')}?tab=publishing`,
      before: dialog(inMain(/^(Publish|Publier)$/)),
      covers: true,
    },
    { name: 'permissions', address: `${at('/note-0')}?tab=permissions` },
    { name: 'share', address: `${at('/note-0')}?tab=permissions`, before: dialog(inMain(/^(Share|Partager)$/)), covers: true },
    { name: 'history', address: `${at('/note-0')}?tab=history` },
    { name: 'folder-versions', address: `${at('')}?tab=versions` },
    { name: 'folder-trash', address: `${at('')}?tab=trash` },
    { name: 'search-begin', address: 'search' },
    { name: 'search', address: 'search?words=garden' },
    { name: 'query', address: `search?nxql=${encodeURIComponent("SELECT * FROM Note WHERE dc:title LIKE 'P%'")}` },
    {
      name: 'completion',
      address: `search?nxql=${encodeURIComponent('SELECT * FROM Note')}`,
      async before(page) {
        await page.getByRole('textbox', { name: /NXQL/ }).press('End')
        await page.keyboard.type(' WHERE dc:t')
        await page.getByRole('option', { name: /dc:title/ }).waitFor()
      },
      covers: true,
    },
    { name: 'tasks', address: 'tasks' },
    { name: 'task', address: `tasks?task=${entries[0].id}` },
    { name: 'started', address: 'tasks?view=started' },
    { name: 'favorites', address: 'favorites' },
    { name: 'collections', address: 'collections' },
    { name: 'clipboard', address: 'clipboard' },
    { name: 'sections', address: 'sections' },
    { name: 'tagged', address: 'tags/season' },
    { name: 'trash', address: 'trash' },
    { name: 'person', address: 'people/alice' },
    { name: 'profile', address: 'profile' },
    { name: 'token', address: 'profile', before: dialog(inMain(/^(New token|Nouveau jeton)$/)), covers: true },
    { name: 'not-found', address: 'nowhere' },
    { name: 'no-document', address: 'browse/nowhere' },
    { name: 'drawer-search', address: at(''), before: drawer(/(Search|Rechercher)$/), isWide: true },
    { name: 'drawer-tasks', address: at(''), before: drawer(/(Tasks|Tâches)$/), isWide: true },
    { name: 'drawer-clipboard', address: at(''), before: drawer(/(Clipboard|Presse-papiers)$/), isWide: true },
    { name: 'drawer-browse', address: at(''), before: drawer(/(Browse|Parcourir)$/), isWide: true },
  ]
}

const covered = new WeakSet<Page>()

/** Goes there and waits until all of it is shown. As a link would, without loading the console anew, unless something lies over it. */
export async function showScreen(page: Page, base: string, screen: Screen, { isAnew = false } = {}): Promise<void> {
  const { address, before, covers = false } = screen
  const url = new URL(`${base}${address}`)
  if (isAnew || covered.has(page)) await page.goto(url.href)
  else {
    const path = JSON.stringify(url.pathname + url.search)
    await page.evaluate(`history.pushState({}, '', ${path}); dispatchEvent(new PopStateEvent('popstate', { state: {} }))`)
  }
  covered.delete(page)
  await settle(page)
  await page.getByRole('main').getByRole('heading').or(page.getByRole('alert')).first().waitFor({ state: 'attached' })
  await settle(page)
  if (covers || screen.isWide) covered.add(page)
  await before?.(page)
  if (before !== undefined) await settle(page)
}

interface Failures {
  /** Screens that lost more than what failed. */
  readonly silent: readonly string[]
  /** Those whose failure was told in its place. */
  readonly said: readonly string[]
  /** How many requests were refused. */
  readonly refused: number
}

/** Lets each request of the screens fail in turn, or only on the first screen that makes it, and looks at what is left. */
export async function failEachCall(
  page: Page,
  base: string,
  screens: readonly Screen[],
  { isOnce }: { readonly isOnce: boolean },
): Promise<Failures> {
  const [silent, said, known]: [string[], string[], Set<string>] = [[], [], new Set()]
  let refused = 0
  for (const screen of screens) {
    for (const path of await pathsAskedBy(page, base, screen)) {
      const kind = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replace(/\/path\/.*/, '/path/')
      if (isOnce && known.has(kind)) continue
      known.add(kind)
      const fails = (url: URL) => url.pathname === path
      await page.route(fails, (route) => route.fulfill({ status: 500, json: { message: 'This fails on purpose.' } }))
      await showScreen(page, base, screen, { isAnew: true })
      const alerts = await page.getByRole('alert').count()
      const navigation = await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).isVisible()
      const heading = await page.getByRole('main').getByRole('heading').count()
      if (!navigation || heading === 0) silent.push(`${screen.name}: ${kind}`)
      if (alerts > 0) said.push(`${screen.name}: ${kind}`)
      await page.unroute(fails)
      refused += 1
    }
  }
  return { silent, said, refused }
}

/** What a screen asks the API for, but for who looks at it: without that there is nobody to show anything to. */
async function pathsAskedBy(page: Page, base: string, screen: Screen): Promise<ReadonlySet<string>> {
  const paths = new Set<string>()
  const note = (request: { url(): string }) => {
    const { pathname } = new URL(request.url())
    if (pathname.includes('/api/v1/') && !/\/(?:me|events)$/.test(pathname)) paths.add(pathname)
  }
  page.on('request', note)
  await showScreen(page, base, screen, { isAnew: true })
  page.off('request', note)
  return paths
}

const people = { alice: ['Alice', 'Martin'], bob: ['Bob', 'Durand'] } as const

/** Something to look at: a team that plans a garden. */
export async function fillGarden(server: TestServer): Promise<void> {
  const administrator = server.as('Administrator')
  const create = async (parent: string, type: string, name: string, properties: object) =>
    requireStatus(201, await administrator.post(`/path${parent}`, { 'entity-type': 'document', type, name, properties }))
  const run = async (operation: string, input: string, params: object) =>
    requireStatus(200, await administrator.post(`/automation/${operation}`, { input, params, context: {} }))
  for (const [user, [firstName, lastName]] of Object.entries(people)) {
    await server.addUser(user, ['members'])
    const properties = { username: user, firstName, lastName, email: `${user}@example.org` }
    requireStatus(200, await administrator.put(`/user/${user}`, { 'entity-type': 'user', id: user, properties }))
  }
  await create('/default-domain/workspaces', 'Workspace', 'spring', { 'dc:title': 'Spring garden' })
  await run('Document.AddPermission', `doc:${workspace}`, { username: 'members', permission: 'ReadWrite' })
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
  await importTestFile(server, workspace, { name: 'blue.webm', type: 'video/webm', content: smallVideo })
  await importTestFile(server, workspace, { name: 'costs.csv', type: 'text/csv', content: 'What,Euros\nPond,1200\nBench,340\n' })
  for (const [number, colour] of ['#7a9e5a', '#d9a441', '#b5533c', '#5b83b0', '#8d6aa8', '#3f7f6c'].entries())
    await importTestFile(server, `${workspace}/photos`, {
      name: `Bed ${number + 1}.svg`,
      type: 'image/svg+xml',
      content: drawingOf(colour, number),
    })
  await importTestFile(server, `${workspace}/photos`, { name: 'blue.png', type: 'image/png', content: smallPicture })
  await addWhatPeopleDo(server)
}

/** Versions, favorites, tags, remarks, reviews and something in the trash. */
async function addWhatPeopleDo(server: TestServer): Promise<void> {
  const administrator = server.as('Administrator')
  const [plan, minutes] = await Promise.all(
    ['note-0', 'note-1'].map(async (name) => (await administrator.get(`/path${workspace}/${name}`)).body.uid as string),
  )
  const run = async (operation: string, input: string | undefined, params: object) =>
    requireStatus(200, await administrator.post(`/automation/${operation}`, { input, params, context: {} }))
  await run('Document.CheckIn', `doc:${plan}`, { version: 'minor', comment: 'As discussed' })
  const text = 'The garden will have four beds, a pond and a bench under the old pear tree.'
  const properties = { 'note:note': text, 'dc:source': 'The meeting in May' }
  requireStatus(200, await administrator.put(`/id/${plan}`, { 'entity-type': 'document', uid: plan, properties }))
  await run('Document.CheckIn', `doc:${plan}`, { version: 'major' })
  await run('Document.AddToFavorites', `doc:${plan}`, {})
  await run('Document.AddToFavorites', `doc:${workspace}/photos`, {})
  await run('Services.TagDocument', `doc:${plan}`, { tags: ['season', 'first draft'] })
  await run('Collection.Create', undefined, { name: 'To read' })
  const section = { 'entity-type': 'document', type: 'Section', name: 'news', properties: { 'dc:title': 'News' } }
  requireStatus(201, await administrator.post('/path/default-domain/sections', section))
  const { uid: letter } = (await administrator.get(`/path${workspace}/note-3`)).body
  requireStatus(
    201,
    await server.as('alice').post(`/id/${plan}/@comment`, { 'entity-type': 'comment', text: 'Where is the sun in May?' }),
  )
  await run('Document.Trash', `doc:${letter}`, {})
  const changed = { 'entity-type': 'document', properties: { 'dc:description': 'With the prices of the pond' } }
  requireStatus(200, await server.as('alice').put(`/path${workspace}/note-2`, changed))
  const flows = workflowsOn(server)
  const { id } = await flows.start(minutes ?? '', 'SerialDocumentReview', 'alice')
  const { id: task } = await flows.task(id, 'alice')
  await flows.complete(task, 'start_review', { participants: ['user:Administrator'], comment: 'Until Friday, please' }, 'alice')
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
