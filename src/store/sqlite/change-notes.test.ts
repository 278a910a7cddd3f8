import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Transaction } from '../store.ts'
import { type ChangeNotes, createChangeNotes } from './change-notes.ts'

type Ports = Pick<Transaction, 'documents' | 'acps' | 'directories'>

/** Ports that do nothing, whatever they are asked, with so many documents below each and so many versions of all. */
function idlePorts({ below = 0, versions = 0 } = {}): Ports {
  const methods = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, async () => undefined]))
  const naming = (...ids: string[]) => ({ setTrashedBelow: async () => ids, refreshLatestFlags: async () => ids })
  return {
    documents: {
      ...methods(
        'find insert insertMany findForShare findForUpdate update move setPositions remove removeSubtree removeVersions',
      ),
      ...naming('x', 'y'),
      listBelow: async (_path: string, _after: string | undefined, limit: number) => numbered('below', Math.min(below, limit)),
      listIdsOfSeries: async (_ids: readonly string[], _after: number, limit: number) =>
        numbered('version', Math.min(versions, limit)),
    },
    acps: methods('intern replaceAcls clearVersions'),
    directories: methods('find insert update remove replaceTargets'),
  } as unknown as Ports
}

/** A transaction on these ports, of which notes are taken. */
function noted(notes: ChangeNotes, ports = idlePorts()): Ports {
  let noted = ports
  notes.watch({
    watch({ documents, acps, directories }) {
      assert.ok(documents && acps && directories)
      noted = {
        documents: documents(ports.documents),
        acps: acps(ports.acps, ports.documents),
        directories: directories(ports.directories),
      }
    },
  })
  return noted
}

function numbered(name: string, count: number): { id: string }[] {
  return Array.from({ length: count }, (_, index) => ({ id: `${name} ${index}` }))
}

async function changesOf(act: (tx: Ports) => Promise<unknown>, ports = idlePorts()) {
  const notes = createChangeNotes()
  await act(noted(notes, ports))
  return notes.take()
}

const document = { id: 'd', path: '/d' } as Parameters<Transaction['documents']['insert']>[0]
const nothing = { documents: new Set(), directories: false }

describe('of what a transaction does', () => {
  test('reading, locking and adding documents changes none that there was', async () => {
    const changes = await changesOf(async ({ documents, acps }) => {
      await documents.find('d')
      await documents.findForShare(document)
      await documents.findForUpdate('d')
      await documents.insert(document)
      await documents.insertMany([document])
      await acps.intern([])
    })
    assert.deepEqual(changes, nothing)
  })

  test('what changes one document is noted by its id', async () => {
    const changes = await changesOf(async ({ documents }) => {
      await documents.update(document, document)
      await documents.remove('e')
      await documents.setPositions(['f', 'g'])
    })
    assert.deepEqual(changes, { documents: new Set(['d', 'e', 'f', 'g']), directories: false })
  })

  test('what says which documents it has changed is noted by their ids', async () => {
    const both = { documents: new Set(['x', 'y']), directories: false }
    assert.deepEqual(await changesOf(({ documents }) => documents.setTrashedBelow('/a', true)), both)
    assert.deepEqual(await changesOf(({ documents }) => documents.refreshLatestFlags('d')), both)
  })

  test('a document is noted until the notes are taken', async () => {
    const notes = createChangeNotes()
    const { documents } = noted(notes)
    await documents.update(document, document)
    assert.deepEqual([notes.isNoted('d'), notes.isNoted('e')], [true, false])
    await documents.remove('e')
    assert.deepEqual([notes.isNoted('d'), notes.isNoted('e')], [true, true])
    notes.take()
    assert.deepEqual([notes.isNoted('d'), notes.isNoted('e')], [false, false])
  })

  type Act = (tx: Ports) => Promise<unknown>
  const onSubtrees: { readonly [name: string]: Act } = {
    move: ({ documents }) => documents.move(document, { parentId: 'p', name: 'n', path: '/n', position: null }),
    removeSubtree: ({ documents }) => documents.removeSubtree(document),
    replaceAcls: ({ acps }) => acps.replaceAcls(document, []),
  }
  for (const [name, act] of Object.entries(onSubtrees)) {
    test(`${name} changes the document, what is below it, and the versions of all these`, async () => {
      const changes = await changesOf(act, idlePorts({ below: 2, versions: 1 }))
      assert.deepEqual(changes, { documents: new Set(['d', 'below 0', 'below 1', 'version 0']), directories: false })
    })
    test(`${name} may change any document where there are many`, async () => {
      for (const many of [{ below: 51 }, { versions: 51 }]) {
        assert.deepEqual(await changesOf(act, idlePorts(many)), { documents: 'any', directories: false })
      }
    })
  }

  test('removeVersions changes those, and any document where there are many', async () => {
    const remove = (many: number) =>
      changesOf(({ documents }) => documents.removeVersions(numbered('v', many).map(({ id }) => id)), idlePorts())
    assert.deepEqual(await remove(2), { documents: new Set(['v 0', 'v 1']), directories: false })
    assert.deepEqual(await remove(51), { documents: 'any', directories: false })
  })

  const onVersions: { readonly [name: string]: Act } = {
    clearVersions: ({ acps }) => acps.clearVersions(['d']),
  }
  for (const [name, act] of Object.entries(onVersions)) {
    test(`${name} changes versions, and any document where there are many`, async () => {
      const one = await changesOf(act, idlePorts({ versions: 1 }))
      assert.deepEqual(one, { documents: new Set(['version 0']), directories: false })
      assert.deepEqual(await changesOf(act, idlePorts({ versions: 51 })), { documents: 'any', directories: false })
    })
  }

  test('every write to a directory is noted', async () => {
    for (const act of [
      ({ directories }) => directories.insert('user', { id: 'u', values: {} }),
      ({ directories }) => directories.update('user', { id: 'u', values: {} }),
      ({ directories }) => directories.remove('user', 'u'),
      ({ directories }) => directories.replaceTargets('members', 'g', []),
    ] as ((tx: Ports) => Promise<unknown>)[]) {
      assert.deepEqual(await changesOf(act), { documents: new Set(), directories: true })
    }
  })
})

test('what was taken is not told twice', async () => {
  const notes = createChangeNotes()
  const tx = noted(notes)
  await tx.documents.update(document, document)
  await tx.documents.removeSubtree(document)
  await tx.directories.remove('user', 'u')
  notes.take()
  assert.deepEqual(notes.take(), nothing)
})
