import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import type { Plugin } from '../../src/plugin/define-plugin.ts'
import type { TestServer } from '../../src/testing.ts'
import { startTestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import type { DatabasePlace } from '../support/database-place.ts'

/** A plugin of a deployment, of whose tables nothing in the program knows. */
export const shelvesPlugin: Plugin = {
  name: 'shelves',
  tables: [
    {
      version: 1,
      statements: ({ rowNumber, text, integer, flag, json }) => [
        `CREATE TABLE shelves_boards (number ${rowNumber}, label ${text}, height ${integer} NOT NULL, is_free ${flag} NOT NULL, notes ${json})`,
        `CREATE TABLE shelves_names (name ${text} NOT NULL, lang ${text} NOT NULL, PRIMARY KEY (lang, name))`,
        `CREATE TABLE shelves_log (said ${text}, at ${integer})`,
      ],
    },
  ],
}

/** The same for programs that read `quire.config.ts`, without anything of the sources. */
const configuration = `
const statements = ({ rowNumber, text, integer, flag, json }) => [
  \`CREATE TABLE shelves_boards (number \${rowNumber}, label \${text}, height \${integer} NOT NULL, is_free \${flag} NOT NULL, notes \${json})\`,
  \`CREATE TABLE shelves_names (name \${text} NOT NULL, lang \${text} NOT NULL, PRIMARY KEY (lang, name))\`,
  \`CREATE TABLE shelves_log (said \${text}, at \${integer})\`,
]
export default { plugins: [{ name: 'shelves', tables: [{ version: 1, statements }] }] }
`

export async function configure({ folder }: Pick<DatabasePlace, 'folder'>): Promise<string> {
  const file = join(folder, 'quire.config.ts')
  await writeFile(file, configuration)
  return file
}

/** A bit of everything that tables hold: documents with files and versions, rights, people, comments, tags, tasks, an audit, a plugin's rows. */
export async function fill(server: TestServer, repositories: readonly string[] = ['default']): Promise<void> {
  const admin = server.as('Administrator')
  await server.addUser('ann', ['members'])
  for (const repository of repositories) {
    const at = `/repo/${repository}/path/default-domain/workspaces`
    const create = async (path: string, name: string, type: string, properties: object) => {
      const { status, text, body } = await admin.post(path, { 'entity-type': 'document', type, name, properties })
      assert.equal(status, 201, text)
      return body
    }
    await create(at, 'shelf', 'Workspace', { 'dc:title': `The shelf of ${repository} 😀 \u{ffee}` })
    for (let number = 0; number < 12; number++) {
      const file = { data: `file ${number} of ${repository}`, name: `${number}.txt`, 'mime-type': 'text/plain' }
      const title = `Volume ${number} – ünïcode "quoted" \\ ${1e21} ${number / 3}`
      await create(`${at}/shelf`, `volume-${number}`, 'File', {
        'dc:title': title,
        'dc:subjects': ['art', 'sciences'],
        'file:content': file,
      })
    }
    const volume = `/repo/${repository}/path/default-domain/workspaces/shelf/volume-1`
    const run = async (operation: string, params: object, path = volume.replace(`/repo/${repository}/path`, '')) => {
      const { status, text } = await admin.post(`/repo/${repository}/automation/${operation}`, { input: path, params })
      assert.ok(status < 300, `${operation}: ${status} ${text}`)
    }
    await run('Document.CreateVersion', { increment: 'Major' })
    await run('Document.AddPermission', { username: 'ann', permission: 'ReadWrite' })
    await run('Services.TagDocument', { tags: 'heavy,red' })
    await admin.post(`${volume}/@comment`, { 'entity-type': 'comment', text: 'Have you read it?', parentId: '' })
    await admin.delete(`/repo/${repository}/path/default-domain/workspaces/shelf/volume-11`)
    await server.asSystem(async ({ tx }) => {
      for (const label of ['low', 'middle', null])
        await tx.tables.run(
          sql`INSERT INTO shelves_boards (label, height, is_free, notes) VALUES (${label}, ${30}, ${1}, ${'{"b": [1, 2.50, "x"], "a": {"d": null, "c": 1e2}}'})`,
        )
      await tx.tables.run(sql`DELETE FROM shelves_boards WHERE label IS NULL`)
      for (const [name, lang] of [
        ['Regal', 'de'],
        ['étagère', 'fr'],
        ['\u{1f4da}', 'xx'],
        ['\uffee', 'xx'],
      ] as const)
        await tx.tables.run(sql`INSERT INTO shelves_names (name, lang) VALUES (${name}, ${lang})`)
      for (const said of ['again', 'again', null])
        await tx.tables.run(sql`INSERT INTO shelves_log (said, at) VALUES (${said}, ${1})`)
    }, repository)
    // Texts that are not read yet would be looked for anew where the rest is restored.
    await untilIdle(server, repository)
  }
}

/** Starts a server there, with the plugin, and fills it. */
export async function filledServer(place: DatabasePlace, settings: object = {}): Promise<TestServer> {
  const server = await startTestServer({ settings: { ...place.settings, ...settings }, plugins: [shelvesPlugin] })
  await fill(server, (settings as { repositories?: string[] }).repositories).catch(async (error: unknown) => {
    await server.stop()
    throw error
  })
  return server
}
