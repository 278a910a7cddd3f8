import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  date,
  defineChain,
  defineDirectory,
  defineDocumentType,
  defineOperation,
  definePageProvider,
  definePlugin,
  defineSchema,
  type Plugin,
  string,
} from '../../src/index.ts'
import type { Services } from '../../src/rest/services.ts'
import { startTestServer } from '../../src/testing.ts'

const silent = () => undefined
const aListener = (events: readonly string[], when = 'inline') => ({ name: 'hears', when, events, handle: silent })
const aRoute = (path: string, rest: object = {}) => ({
  method: 'GET',
  path,
  under: 'api',
  summary: 'x',
  answers: {},
  handle: silent,
  ...rest,
})
const aQuery = (pattern: string) => ({ pageProviders: [definePageProvider({ name: 'unpaid', pattern })] })
const aLifecycle = (rest: object) => ({
  lifecycles: [
    { name: 'short', initial: 'open', states: { open: ['close'], closed: [] }, transitions: { close: 'closed' }, ...rest },
  ],
})
const aType = (rest: object) => ({ documentTypes: [defineDocumentType('Invoice', { extends: 'File', ...rest })] })
const vocabulary = (rest: object) => ({ directories: [defineDirectory('colour', { schema: 'vocabulary', ...rest })] })
const anOperation = (id: string) =>
  defineOperation({
    id,
    category: 'x',
    description: 'x',
    effect: 'reads',
    params: {},
    run: ({ on }) => [on('void', 'void', silent)],
  })

const files = new URL('../../examples/invoices/console/', import.meta.url)
const aTab = (rest: object) => ({ console: { folder: files, tabs: [{ name: 'pay', label: 'Pay', file: 'shared.js', ...rest }] } })
const aLayout = (rest: object) => ({ console: { layouts: [{ type: 'File', ...rest }] } })
const aField = (field: unknown) => aLayout({ groups: [{ label: 'Main', fields: [field] }] })

/** What a plugin contributes, in a JavaScript that no compiler has seen, and what the start says of it after the plugin's name. */
const mistakes: readonly [contributed: object, reason: string][] = [
  [{ shemas: [] }, 'contributes shemas, which does not exist'],
  [{ schemas: {} }, 'schemas must be a list'],
  [{ schemas: [undefined] }, 'number 1 of its schemas is undefined, which is no definition'],
  [{ requires: ['moon'] }, 'requires moon, which is not there'],
  [{ listeners: [{ when: 'inline', events: ['documentCreated'], handle: silent }] }, 'number 1 of its listeners has no name'],
  [
    {
      jobs: [
        { kind: 'mail', run: silent },
        { kind: 'mail', run: silent },
      ],
    },
    'jobs: mail is contributed by p already',
  ],

  [{ schemas: [defineSchema('s', { fields: { 'a/b': string() } })] }, "schema s cannot name a field 'a/b'"],
  [
    { schemas: [defineSchema('s', { fields: { a: string({ pattern: '[' }) } })] },
    'schema s field a has the pattern [, which is no regular expression',
  ],
  [
    {
      schemas: [
        defineSchema('s', { fields: { a: string({ resolver: { kind: 'directory', directory: 'moons', validation: true } }) } }),
      ],
    },
    'schema s has the field a of entries of the directory moons, which does not exist',
  ],
  [
    { schemas: [defineSchema('s', { prefix: 'dc', fields: { title: date() } })] },
    'schema s field dc:title is also in schema dublincore',
  ],
  [aType({ schemas: ['invoise'] }), 'document type Invoice names the unknown schema invoise'],
  [aType({ facets: ['Paid'] }), 'document type Invoice names the unknown facet Paid'],
  [aType({ extends: 'Fil' }), 'document type Invoice names the unknown document type Fil'],
  [aType({ extends: 'Invoice' }), 'document type Invoice extends itself'],
  [aType({ subtypes: ['Page'] }), 'document type Invoice names the unknown document type Page'],
  [aType({ lifecycle: 'fast' }), 'document type Invoice names the unknown lifecycle fast'],
  [
    { documentTypeAdditions: [{ type: 'Workspace', subtypes: ['Invoise'] }] },
    'addition to Workspace names the unknown document type Invoise',
  ],
  [
    { documentTypeAdditions: [{ type: 'Workspce', subtypes: [] }] },
    'addition to Workspce names the unknown document type Workspce',
  ],
  [{ facets: [{ name: 'Paid', schemas: ['paid'] }] }, 'facet Paid names the unknown schema paid'],
  [aLifecycle({ initial: 'new' }), 'lifecycle short starts in the unknown state new'],
  [aLifecycle({ transitions: { close: 'shut' } }), 'lifecycle short transition close leads to the unknown state shut'],
  [
    aLifecycle({ states: { open: ['close', 'fly'], closed: [] } }),
    'lifecycle short state open allows the unknown transition fly',
  ],
  [{ permissions: [{ name: 'Pay', includes: ['Sing'] }] }, 'permission Pay names the unknown permission Sing'],
  [{ visiblePermissions: [{ name: 'Pay', order: 1, types: '*' }] }, 'visible permission Pay names the unknown permission Pay'],
  [
    { versioningPolicies: [{ id: 'often', order: 1, when: 'after', increment: 'minor', types: ['Invoise'] }] },
    'versioning policy often names the unknown document type Invoise',
  ],
  [
    { versioningRestrictions: [{ type: 'Invoise', allowed: {} }] },
    'versioning restriction of Invoise names the unknown document type Invoise',
  ],
  [
    { initialContent: [{ type: 'Domain', children: [{ name: 'a', type: 'Invoise', title: 'a' }], aces: [] }] },
    'initial content of Domain names the unknown document type Invoise',
  ],

  [vocabulary({ schema: 'vocabulari' }), 'directory colour names the unknown schema vocabulari'],
  [vocabulary({ parentDirectory: 'moons' }), 'directory colour has the unknown parentDirectory moons'],
  [
    vocabulary({ dataFile: './colours.csv' }),
    "directory colour has the dataFile ./colours.csv, which is no address of a file: say new URL('./entries.csv', import.meta.url)",
  ],
  [
    vocabulary({ dataFile: new URL('file:///colours.xls') }),
    'directory colour has the dataFile colours.xls, which is neither .csv nor .json',
  ],
  [
    vocabulary({ dataFile: new URL('file:///nowhere/colours.csv') }),
    'directory colour has the dataFile /nowhere/colours.csv, which does not exist',
  ],
  [
    vocabulary({ dataFile: async () => ({ id: 'red' }) }),
    'directory colour cannot be filled from dataFile(). It must hold a list of objects, one for each entry.',
  ],

  [
    { listeners: [aListener(['documentCreatd'])] },
    'listener hears listens to documentCreatd, which nobody announces: did you mean documentCreated, or is it missing in events?',
  ],
  [
    { listeners: [aListener(['moonrise'])] },
    'listener hears listens to moonrise, which nobody announces: a plugin that announces it declares it in its events',
  ],
  [{ listeners: [aListener([])] }, 'listener hears listens to no event: name some in events'],
  [
    { listeners: [aListener(['documentCreated'], 'later')] },
    'listener hears has when: later, which is none of inline, afterCommit, asynchronous',
  ],
  [
    { listeners: [aListener(['aboutToCreate'], 'afterCommit')] },
    "listener hears listens to aboutToCreate, which is offered before anything is done: say when: 'inline', or listen to what is done",
  ],
  [
    { listeners: [aListener(['user_created'])] },
    'listener hears listens to user_created, which happens to no document: contribute it as one of serverListeners',
  ],
  [
    { serverListeners: [{ name: 'hears', events: ['documentCreated'], handle: silent }] },
    'server listener hears listens to documentCreated, which happens to documents: contribute it as one of listeners',
  ],
  [{ listeners: [{ ...aListener(['documentCreated']), handle: undefined }] }, 'listener hears has no function handle'],

  [{ jobs: [{ kind: 'mail' }] }, 'job mail has no function run'],
  [{ jobs: [{ kind: 'mail', run: silent, maxAttempts: 0 }] }, 'job mail has maxAttempts 0, which is no whole number from 1 on'],
  [{ jobs: [{ kind: 'removeOrphanVersions', run: silent }] }, 'job removeOrphanVersions is contributed by quire already'],
  [
    { contribute: () => ({ jobs: [{ kind: 'mail', run: silent }] }), jobs: [{ kind: 'mail', run: silent }] },
    'jobs: mail is contributed by p already',
  ],
  [
    { jobs: [{ kind: 'mail', run: silent }], schedules: [{ name: 'nightly', everySeconds: 60, job: 'mial' }] },
    'schedule nightly adds jobs of the kind mial, which nobody does: did you mean mail?',
  ],
  [{ schedules: [{ name: 'nightly', everySeconds: 60 }] }, 'schedule nightly has no function run, nor the kind of a job'],
  [
    { schedules: [{ name: 'nightly', everySeconds: 0, run: silent }] },
    'schedule nightly runs every 0 seconds: say a number above 0 and up to 2147483',
  ],
  [
    { bulkActions: [{ name: 'a/b', isOpen: true, run: silent }] },
    'bulk action a/b has a slash in its name, which no address can hold',
  ],
  [
    { contribute: () => ({ bulkActions: [{ name: 'trash', isOpen: true, run: silent }] }) },
    'bulkActions: trash is contributed by bulk already',
  ],

  [{ contribute: () => [] }, 'contribute must give an object with lists'],
  [{ contribute: () => ({ opreations: [] }) }, 'contributes opreations, which does not exist'],
  [
    { contribute: (_: unknown, { principals }: Services) => ({ jobs: [{ kind: 'mail', run: () => principals.find('x') }] }) },
    'contribute reads services.principals, which is there once the server is put together: read it in the function that needs it',
  ],
  [{ settings: [] }, 'settings must be an object of names and declarations'],
  [
    { settings: { 'mail-host': { type: 'string', help: 'x' } } },
    'setting mail-host must have a name in camel case, such as ordersFolder',
  ],
  [
    { settings: { mailHost: { type: 'text', help: 'x' } } },
    'setting mailHost has the type text, which is none of string, integer, boolean, bytes, duration, list, choice, secret, url, json, jsonList',
  ],
  [{ settings: { mailHost: { type: 'string' } } }, 'setting mailHost has no help: say what it is for'],

  [{ pageProviders: [definePageProvider({ name: '' })] }, 'number 1 of its pageProviders has no name'],
  [aQuery('SELECT * FROM Invoise'), 'page provider unpaid has a query that is wrong at “Invoise”: Unknown type: Invoise'],
  [
    aQuery('SELECT * FROM Document WHERE dc:titel = ?'),
    "page provider unpaid has a query that is wrong at “dc:titel = 'x'”: No such property: dc:titel",
  ],
  [
    aQuery('SELECT * FROM Document WHERE dc:title = = ?'),
    "page provider unpaid has a query that is wrong at “= 'x'”: Syntax error: Invalid token <=> at offset 40",
  ],
  [
    { pageProviders: [{ kind: 'entities', name: 'all', listType: 'moons', entityType: 'moon', list: silent }] },
    'page provider all lists moon, which no entity writer shows',
  ],

  [{ operations: [{ id: 'Invoice.Pay' }] }, 'operation Invoice.Pay is not made by defineOperation or defineScript'],
  [{ operations: [anOperation('Document.Update')] }, 'operations: Document.Update is contributed by document-operations already'],
  [
    { chains: [defineChain({ id: 'pay', steps: [{ operation: 'Invoice.Pay' }] })] },
    'chain pay step 1 runs Invoice.Pay, which does not exist',
  ],
  [
    { businessObjects: [{ name: 'Card', fields: { title: 'dc:titel' } }] },
    'business object Card shows dc:titel as title, which no document has',
  ],
  [
    { businessObjects: [{ name: 'Card', fields: {}, types: ['Invoise'] }] },
    'business object Card names the unknown document type Invoise',
  ],

  [{ routes: [aRoute('moons')] }, 'route GET /api/v1moons has a path that does not begin with /'],
  [
    { routes: [aRoute('/moons', { method: 'LOOK' })] },
    'route LOOK /api/v1/moons has a method that is none of GET, POST, PUT, DELETE',
  ],
  [{ routes: [aRoute('/moons', { under: 'sky' })] }, 'route GET /moons is under sky, which is neither api nor server'],
  [
    { routes: [aRoute('/moons/x{id}')] },
    'route GET /api/v1/moons/x{…} has the segment x{id} in its path: a variable is a whole segment such as {name} or {name+}',
  ],
  [{ routes: [aRoute('/moons/{a}'), aRoute('/moons/{b}')] }, 'routes: GET /api/v1/moons/{…} is contributed by p already'],
  [
    { adapters: [{ name: '@x', summary: 'x', accepts: [] }] },
    'adapter @x has a name that no address can hold: leave out / and @',
  ],
  [
    { adapters: [{ name: 'x', summary: 'x', accepts: ['moon'], resolve: silent }] },
    'adapter x accepts moon, which is none of root, document, documents, blob, user, group, entities',
  ],
  [{ adapters: [{ name: 'x', summary: 'x', accepts: ['document'] }] }, 'adapter x has neither resolve nor methods'],
  [
    { adapters: [{ name: 'children', summary: 'x', accepts: [], resolve: silent }] },
    'adapters: children is contributed by documents already',
  ],
  [
    { enrichers: [{ name: 'x', entityType: 'moon', enrich: silent }] },
    'enricher moon x enriches moon, which is neither document nor user',
  ],
  [
    { resources: [{ segment: 'a/b', resolve: silent }] },
    'resource a/b has a segment that no address can hold: leave out / and @',
  ],
  [
    { importers: [{ name: 'i', order: 1, mimeTypes: ['['], prepare: silent }] },
    'importer i takes the type [, which is no regular expression',
  ],
  [{ textExtractors: [{ name: 't', accepts: silent }] }, 'text extractor t has no function extract'],
  [{ downloadRules: [{ name: 'd' }] }, 'download rule d has no function isAllowed'],
  [{ securityPolicies: [{ name: 's', order: 1 }] }, 'security policy s has no function decide'],
  [{ fileWatchers: [{ name: 'w' }] }, 'file watcher w has no function watch'],

  [{ console: [] }, 'console must be an object with layouts, widgets, tabs, actions, pages and their folder'],
  [{ console: { tab: [] } }, 'console has tab, which does not exist: did you mean tabs?'],
  [{ console: { tabs: {} } }, 'console tabs must be a list'],
  [{ console: { pages: [null] } }, 'number 1 of its console pages is null, which is no definition'],
  [
    { console: { tabs: [{ name: 'pay', label: 'Pay', file: 'pay.js' }] } },
    "console has no folder for its files: give new URL('./console/', import.meta.url)",
  ],
  [
    { console: { folder: new URL('../../', import.meta.url), tabs: [{ name: 'pay', label: 'Pay', file: 'biome.json' }] } },
    `console has the folder ${fileURLToPath(new URL('../../', import.meta.url))}, in which package.json is: all of it is sent to browsers, so give it a folder of its own`,
  ],
  [aTab({ name: undefined }), 'number 1 of its console tabs has no name'],
  [aTab({ name: 'Pay It' }), 'console tab Pay It must have a name in small letters, such as payment-progress'],
  [aTab({ labl: 'x' }), 'console tab pay has labl, which does not exist: did you mean label?'],
  [
    aTab({ label: '' }),
    'console tab pay has a label that is no text of up to 200 characters, nor one for each language: { en, fr }',
  ],
  [aTab({ label: { en: 'Pay', de: 'x' } }), 'console tab pay has a label that has the language de: the console speaks en and fr'],
  [
    aTab({ file: '../invoices.ts' }),
    'console tab pay has the file ../invoices.ts: name one of JavaScript in the folder, such as progress.js',
  ],
  [aTab({ file: 'gone.js' }), `console tab pay has the file gone.js, which is not in ${fileURLToPath(files).slice(0, -1)}`],
  [aTab({ apiVersion: 99 }), 'console tab pay is made for version 99 of what the console hands over, and this one has 1'],
  [aTab({ when: { type: 'Fil' } }), 'console tab pay has a condition on the unknown type Fil: did you mean File?'],
  [aTab({ when: 'document.type' }), 'console tab pay has the condition document.type, which is no object'],
  [
    aTab({ when: { all: [{ field: 'dc:titel', isSet: true }] } }),
    'console tab pay has a condition on dc:titel, which no document has: did you mean dc:title?',
  ],
  [
    aTab({ when: { state: 'open', facet: 'Folderish' } }),
    'console tab pay has a condition with state, facet: it has one of type, facet, state, permission, all, any and not, or field with is or isSet',
  ],
  [aTab({ when: endless() }), 'console tab pay has a condition that is deeper than 8 levels'],
  [aLayout({ type: 'Fil' }), 'layout of Fil is of an unknown document type: did you mean File?'],
  [aLayout({ groups: [{ label: 'Main', fields: [] }] }), 'layout of File has no fields in the group Main'],
  [aField('dc:titel'), 'layout of File shows dc:titel, which no document has: did you mean dc:title?'],
  [
    aField({ field: 'dc:title', width: 'wide' }),
    'layout of File shows dc:title with the width wide, which is none of full, half, third',
  ],
  [
    aField({ field: 'dc:title', widget: 'stars' }),
    "layout of File shows dc:title with the widget stars, which is none of its plugin's",
  ],
  [aLayout({ columns: ['dc:title', 'dc:title'] }), 'layout of File shows dc:title twice'],
  [
    aLayout({ columns: [{ field: 'dc:title', width: '1fr' }] }),
    'layout of File has the column dc:title with the width 1fr: say pixels, from 40 to 600',
  ],
  [{ console: { layouts: [{ type: 'File' }, { type: 'File' }] } }, 'layout of File is contributed by p already'],
]

/** A condition that holds itself. */
function endless(): object {
  const condition: { not?: object } = {}
  condition.not = condition
  return condition
}

describe('a mistake in a plugin stops the start and is told with the plugin and the definition:', () => {
  for (const [contributed, reason] of mistakes) {
    test(reason, async () => {
      const plugin = { name: 'p', ...contributed } as Plugin
      await assert.rejects(startAndStop(plugin), { code: 'pluginMistake', message: `plugin p: ${reason}` })
    })
  }

  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-authors-'))
  })
  after(() => rm(folder, { recursive: true }))

  test('a data file that is malformed is told with its line', async () => {
    const file = join(folder, 'colours.csv')
    await writeFile(file, 'id,label\nred,Red\ngreen\n')
    const message =
      'plugin p: directory colour cannot be filled from colours.csv. The data file colours.csv cannot be read. Line 3 of the CSV text has 1 values where the header names 2 columns.'
    await assert.rejects(startAndStop({ name: 'p', ...vocabulary({ dataFile: pathToFileURL(file) }) }), { message })
  })

  test('of two plugins that add to the same type, the one that is wrong is named', async () => {
    const sound = definePlugin({ name: 'sound', documentTypeAdditions: [{ type: 'Workspace', subtypes: ['Note'] }] })
    const wrong = definePlugin({ name: 'wrong', documentTypeAdditions: [{ type: 'Workspace', facets: ['Paid'] }] })
    await assert.rejects(startAndStop(sound, wrong), {
      message: 'plugin wrong: addition to Workspace names the unknown facet Paid',
    })
  })
})

describe('a plugin', () => {
  test('may listen to events that another one declares', async () => {
    const announcing = definePlugin({ name: 'announcing', events: [{ name: 'moonrise', kind: 'after' }] })
    await startAndStop({ name: 'p', listeners: [aListener(['moonrise'], 'asynchronous')] } as Plugin, announcing)
  })

  test('is told at once when it adds a job that nobody does', async () => {
    const server = await startTestServer({
      plugins: [definePlugin({ name: 'p', jobs: [{ kind: 'mail', run: async () => {} }] })],
    })
    try {
      await server.asSystem(({ tx }) => tx.jobs.add('mail', {}))
      await assert.rejects(
        server.asSystem(({ tx }) => tx.jobs.add('mial', {})),
        /no plugin has jobs of the kind mial/,
      )
    } finally {
      await server.stop()
    }
  })

  test('has a job done on schedule by its kind alone', async () => {
    const done = Promise.withResolvers<unknown>()
    const mail = { kind: 'mail', run: async (payload: unknown) => done.resolve(payload) }
    const plugin = definePlugin({ name: 'p', jobs: [mail], schedules: [{ name: 'nightly', everySeconds: 60, job: 'mail' }] })
    const server = await startTestServer({ plugins: [plugin] })
    try {
      assert.deepEqual(Object.keys((await done.promise) as object), ['since'])
    } finally {
      await server.stop()
    }
  })
})

async function startAndStop(...plugins: readonly Plugin[]): Promise<void> {
  const server = await startTestServer({ plugins })
  await server.stop()
}
