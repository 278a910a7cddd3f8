import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { createDocument } from '../../../src/core/documents/create-document.ts'
import { readDocumentByPath } from '../../../src/core/documents/read-document.ts'
import { startTestServer } from '../../../src/testing.ts'
import { commandLineAt } from '../../support/command-line.ts'
import { type DatabasePlace, engines } from '../../support/database-place.ts'
import { filledPlace } from '../../support/fresh-place.ts'

const workspaces = '/default-domain/workspaces'
/** Several transactions of an import. */
const folders = 250

/** Archives of a folder, and of whole repositories that are not the same. */
async function makeArchives(): Promise<{ readonly tree: string; readonly wholes: readonly [string, string] }> {
  const place = await filledPlace('sqlite')
  const at = (name: string) => join(place.folder, name)
  const server = await startTestServer({ settings: place.settings })
  try {
    const admin = server.as('Administrator')
    await server.asSystem(async (session) => {
      const top = await readDocumentByPath(session, workspaces)
      const parent = await createDocument(session, { parent: top, type: 'Folder', name: 'many', properties: {} })
      for (let number = 0; number < folders - 1; number++)
        await createDocument(session, { parent, type: 'Folder', name: `n${number}`, properties: {} })
    })
    await commandLineAt(place).json(['export', `${workspaces}/many`, at('tree.zip')])
    await commandLineAt(place).json(['export', '/', at('one.zip')])
    await admin.post(`/path${workspaces}`, { 'entity-type': 'document', type: 'Folder', name: 'more' })
    await commandLineAt(place).json(['export', '/', at('two.zip')])
  } finally {
    await server.stop()
  }
  return { tree: at('tree.zip'), wholes: [at('one.zip'), at('two.zip')] }
}

describe('two imports at once', () => {
  let archives: Awaited<ReturnType<typeof makeArchives>>
  before(async () => {
    archives = await makeArchives()
  })

  /** Which of the two came through; the other one was refused with a sentence. */
  async function importBoth(place: DatabasePlace, [one, other]: readonly [string, string], to: string) {
    const outcomes = await Promise.all([one, other].map((archive) => commandLineAt(place).run(['import', archive, '--to', to])))
    for (const { code, complained } of outcomes)
      if (code !== 0)
        assert.match(
          complained,
          /being imported to the same place by another command|Another archive is being imported|is not empty|has its own already/,
        )
    return outcomes.map(({ code }) => code === 0)
  }

  for (const engine of engines) {
    for (const kind of ['the same archive', 'different archives'] as const)
      test(`of whole repositories, ${kind}, leave what one of them has (${engine})`, async () => {
        const [first, second] = archives.wholes
        const wanted: readonly [string, string] = kind === 'the same archive' ? [first, first] : [first, second]
        const place = await filledPlace(engine)
        const isThrough = await importBoth(place, wanted, '/')
        assert.equal(isThrough.filter(Boolean).length, 1, String(isThrough))
        const [more] = await place.query(`SELECT count(*) AS found FROM documents WHERE path = '${workspaces}/more'`)
        assert.equal(Number(more?.['found']), wanted[isThrough.indexOf(true)] === second ? 1 : 0)
        const [many] = await place.query(`SELECT count(*) AS found FROM documents WHERE path LIKE '${workspaces}/many/%'`)
        assert.equal(Number(many?.['found']), folders - 1)
      })

    test(`of a tree to one place bring it as often as they say (${engine})`, async () => {
      const place = await filledPlace(engine)
      const isThrough = await importBoth(place, [archives.tree, archives.tree], workspaces)
      const times = isThrough.filter(Boolean).length
      assert.ok(times >= 1)
      const roots = await place.query(`SELECT path FROM documents WHERE path LIKE '${workspaces}/many%' AND name LIKE 'many%'`)
      const whole = await Promise.all(
        roots.map(async ({ path }) => {
          const [below] = await place.query(`SELECT count(*) AS found FROM documents WHERE path LIKE '${path}/%'`)
          return Number(below?.['found']) === folders - 1
        }),
      )
      assert.equal(whole.filter(Boolean).length, times)
    })
  }
})
