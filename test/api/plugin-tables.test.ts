import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import sql from 'sql-template-tag'
import { defineProblem } from '../../src/base/problem.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { json } from '../../src/rest/answer.ts'
import type { TableMigration } from '../../src/store/tables.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { commandLineAt } from '../support/command-line.ts'
import { engines } from '../support/database-place.ts'
import { freshPlace } from '../support/fresh-place.ts'
import { isQuick } from '../support/quick.ts'

const first: TableMigration = {
  version: 1,
  statements: ({ text, integer }) => [
    `CREATE TABLE visits_pages (page ${text} PRIMARY KEY, visits ${integer} NOT NULL)`,
    "INSERT INTO visits_pages (page, visits) VALUES ('home', 7)",
  ],
}
const second: TableMigration = {
  version: 2,
  statements: ({ integer }) => [
    `ALTER TABLE visits_pages ADD COLUMN likes ${integer} NOT NULL DEFAULT 3`,
    'CREATE INDEX visits_pages_by_likes ON visits_pages (likes)',
  ],
}

const refused = defineProblem('refused', 'conflict', () => 'Not this one.')

const aPlugin = (...tables: readonly TableMigration[]) =>
  definePlugin({
    name: 'visits',
    tables,
    listeners: [
      {
        name: 'countVisits',
        when: 'inline',
        events: ['documentCreated'],
        async handle({ document: { type, name } }, { tx }) {
          if (type !== 'Folder') return
          await tx.tables.run(sql`UPDATE visits_pages SET visits = visits + 1 WHERE page = ${'home'}`)
          if (name === 'refused') throw refused({})
        },
      },
    ],
    routes: [
      {
        method: 'GET',
        path: '/visits',
        under: 'api',
        summary: 'All pages',
        answers: { 200: { type: 'array' } },
        handle: (exchange) =>
          exchange.read(async ({ reader }) => json(await reader.tables.all(sql`SELECT * FROM visits_pages ORDER BY page`))),
      },
    ],
  })

const aFolder = (name: string) => ({ 'entity-type': 'document', type: 'Folder', name })

for (const engine of isQuick() ? (['sqlite'] as const) : engines) {
  describe(`the tables of a plugin (${engine})`, () => {
    async function start(context: TestContext, settings: object, ...tables: readonly TableMigration[]): Promise<TestServer> {
      const server = await startTestServer({ plugins: [aPlugin(...tables)], settings: { ...settings } })
      context.after(() => server.stop())
      return server
    }
    const visits = async (server: TestServer) => (await server.as('Administrator').get('/visits')).body

    test('are made once, and changed by the steps that are new', async (context) => {
      const { settings } = await freshPlace(engine)
      const old = await start(context, settings, first)
      assert.deepEqual(await visits(old), [['home', 7]])
      await old.stop()
      assert.deepEqual(await visits(await start(context, settings, first, second)), [['home', 7, 3]])
    })

    test('change with the request, or not at all', async (context) => {
      const { settings } = await freshPlace(engine)
      const server = await start(context, settings, first)
      const create = (name: string) => server.as('Administrator').post('/path/default-domain/workspaces', aFolder(name))
      assert.equal((await create('one')).status, 201)
      assert.deepEqual(await visits(server), [['home', 8]])
      assert.equal((await create('refused')).status, 409)
      assert.deepEqual(await visits(server), [['home', 8]])
    })

    test('of a newer version of it are refused', async () => {
      const { settings } = await freshPlace(engine)
      await (await startTestServer({ plugins: [aPlugin(first, second)], settings })).stop()
      await assert.rejects(startTestServer({ plugins: [aPlugin(first)], settings }), {
        code: 'pluginTablesTooNew',
        message: 'The tables of the plugin visits have version 2; this one knows versions up to 1. Install a newer one.',
      })
    })
  })
}

describe('the command of a plugin', () => {
  test('is listed, explained, told its options and opens the data', async () => {
    const place = await freshPlace('sqlite')
    await (await startTestServer({ settings: place.settings })).stop()
    const { run } = commandLineAt(place)
    const module = new URL('../../src/index.ts', import.meta.url).href
    await writeFile(
      join(place.folder, 'quire.config.ts'),
      `import { defineCommand, definePlugin, exitCodes } from '${module}'
       const count = defineCommand({
         name: 'count-repositories', summary: 'count them', options: { loud: { type: 'boolean', default: false, help: 'Shout' } },
         async run({ options, settings, print, openServices }) {
           const { services, close } = await openServices()
           print(services.repositories.size + (options.loud ? '!' : '') + settings.shelfName)
           await close()
           return exitCodes.done
         },
       })
       export default { plugins: [definePlugin({
         name: 'counting', commands: { 'count-repositories': async () => count },
         settings: { shelfName: { type: 'string', default: 'top', help: 'Name of the shelf' } },
       })] }`,
    )
    const config = ['--config', join(place.folder, 'quire.config.ts')]
    assert.match((await run(['help', ...config])).printed, /count-repositories +count them/)
    assert.match(
      (await run(['count-repositories', '--help', ...config])).printed,
      /--loud +Shout[\s\S]*--shelf-name <text> +Name of the shelf/,
    )
    assert.equal((await run(['count-repositories', '--loud', ...config])).printed, '1!top')
    assert.equal((await run(['count-repositories', '--shelf-name', 'low', ...config])).printed, '1low')
    const wrong = await run(['count-repositoris', ...config])
    assert.equal(wrong.code, 2)
    assert.match(wrong.complained, /did you mean count-repositories\?/)
  })
})

describe('the static files of a plugin', () => {
  let server: TestServer
  let place: string
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'quire-static-'))
    const pages = join(place, 'pages')
    await mkdir(join(pages, 'sub'), { recursive: true })
    await writeFile(join(place, 'secret.txt'), 'secret')
    await writeFile(join(pages, 'index.html'), '<p>home</p>')
    await writeFile(join(pages, 'sub', 'index.html'), '<p>sub</p>')
    await writeFile(join(pages, '.hidden'), 'hidden')
    await symlink(join(place, 'secret.txt'), join(pages, 'linked.txt'))
    const folder = pathToFileURL(`${pages}/`)
    const plugin = definePlugin({
      name: 'pages',
      staticFiles: [
        { path: '/open-pages', folder, isPublic: true },
        { path: '/pages', folder },
      ],
    })
    server = await startTestServer({ plugins: [plugin] })
  })
  after(async () => {
    await server.stop()
    await rm(place, { recursive: true })
  })
  const get = (path: string) => server.as('Administrator').call('GET', path)

  test('are shown, with a page for the folder itself', async () => {
    assert.equal((await get('pages')).text, '<p>home</p>')
    assert.equal((await get('pages/index.html')).text, '<p>home</p>')
    assert.equal((await get('pages/sub/')).text, '<p>sub</p>')
  })

  test('are for who has signed in, unless they are public', async () => {
    assert.equal((await fetch(new URL('pages/index.html', server.url))).status, 401)
    assert.equal((await fetch(new URL('open-pages/index.html', server.url))).status, 200)
  })

  for (const path of [
    'pages/linked.txt',
    'pages/.hidden',
    'pages/..%2fsecret.txt',
    'pages/%2e%2e/secret.txt',
    'pages/sub%5c..%5c..%5csecret.txt',
    'pages//etc/passwd',
    'pages/sub/nothing',
    'pages/a%00b',
    `pages/${'x'.repeat(5_000)}`,
  ]) {
    test(`give nothing at ${path.slice(0, 40)}`, async () => {
      const { status, text } = await get(path)
      assert.ok([400, 404].includes(status), `${status}`)
      assert.ok(!text.includes('secret\n') && text !== 'secret' && text !== 'hidden')
    })
  }
})
