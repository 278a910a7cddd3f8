import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { operationBenchOn, refusalsOf, uidsOf, unknownId } from '../support/operation-bench.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import type { Answered } from '../support/workbench.ts'

onEachServer('2.1 finding documents', (server) => {
  const bench = operationBenchOn(server)
  let secret: Answered
  before(async () => {
    secret = await bench.make('Folder')
    await bench.restrict(secret.uid)
  })

  describe('Repository.GetDocument', () => {
    for (const [what, named] of [
      ['an id', ({ uid }: Answered) => uid],
      ['a path', ({ path }: Answered) => path],
      ['the repository and an id', ({ uid }: Answered) => `default:${uid}`],
      ['a document entity', ({ uid }: Answered) => ({ 'entity-type': 'document', uid })],
    ] as const) {
      test(`gives the document of ${what}`, async () => {
        const file = await bench.make()
        assert.equal((await bench.run('Repository.GetDocument', undefined, { value: named(file) })).uid, file.uid)
      })
    }
    test('is known as Document.Fetch too, and takes any input', async () => {
      const file = await bench.make()
      assert.equal((await bench.run('Document.Fetch', 'anything', { value: file.uid }, { as: 'reader' })).uid, file.uid)
    })
    refusalsOf(bench, 'Repository.GetDocument', {
      'with 404 for an unknown id': { params: { value: unknownId }, status: 404, message: unknownId },
      'with 404 for an unknown path': { params: { value: '/no/such/path' }, status: 404, message: '/no/such/path' },
      'with 403 to who cannot read': () => ({
        as: 'stranger',
        params: { value: bench.shared.uid },
        status: 403,
        message: privilegeMissing('Read', 'stranger'),
      }),
      'without a value': { status: 400, message: /Failed to inject parameter 'value'\. Seems it is missing/ },
    })
  })

  describe('Document.GetChild', () => {
    test('gives the child of exactly that name, whatever else is sent', async () => {
      const child = await bench.run('Document.GetChild', '/default-domain', { name: 'workspaces', more: 'of this' })
      assert.equal(child.path, '/default-domain/workspaces')
    })
    test('gives the children of several folders', async () => {
      const folders = [await bench.make('Folder'), await bench.make('Folder')]
      const children = []
      for (const { path } of folders) children.push(await bench.make('File', {}, { parent: path, name: 'same' }))
      const found = await bench.run(
        'Document.GetChild',
        folders.map(({ uid }) => uid),
        { name: 'same' },
      )
      assert.deepEqual(
        uidsOf(found),
        children.map(({ uid }) => uid),
      )
    })
    refusalsOf(bench, 'Document.GetChild', {
      'with 404 in another case': {
        input: '/default-domain',
        params: { name: 'Workspaces' },
        status: 404,
        message: '/default-domain/Workspaces',
      },
      'with 403 for a child that cannot be read': () => ({
        as: 'reader',
        input: bench.shared.uid,
        params: { name: secret.path.split('/').at(-1) },
        status: 403,
        message: privilegeMissing('Read', 'reader'),
      }),
      'without a name': { input: '/', status: 400, message: /Failed to inject parameter 'name'/ },
      'without an input': { params: { name: 'x' }, status: 400, message: /no method found .* first input type 'void'/ },
    })
  })

  describe('Document.GetChildren', () => {
    test('gives all children in their order, the trashed and hidden ones too', async () => {
      const folder = await bench.make('OrderedFolder')
      const made = []
      for (const type of ['File', 'Note', 'Folder']) made.push(await bench.make(type, {}, { parent: folder.path }))
      const hidden = await bench.make('Folder', {}, { parent: folder.path })
      await bench.change(hidden.uid, { facets: ['HiddenInNavigation'] })
      await bench.run('Document.Trash', made[0].uid)
      const found = await bench.run('Document.GetChildren', folder.uid)
      assert.deepEqual(
        uidsOf(found),
        [...made, hidden].map(({ uid }) => uid),
      )
      assert.equal(found.isPaginable, undefined)
    })
    test('gives more than a page holds', async () => {
      const folder = await bench.make('Folder')
      const row = await bench.row((await bench.make('File', {}, { parent: folder.path })).uid)
      const others = Array.from({ length: 1_100 }, (_, index) => {
        const name = `copy ${index}`
        return { ...row, id: crypto.randomUUID(), name, path: `${folder.path}/${name}` }
      })
      await server.asSystem(({ tx }) => tx.documents.insertMany(others))
      assert.equal(uidsOf(await bench.run('Document.GetChildren', folder.uid)).length, 1_101)
    })
    test('leaves out what the caller cannot read', async () => {
      const folder = await bench.make('Folder')
      const [open, closed] = [
        await bench.make('File', {}, { parent: folder.path }),
        await bench.make('File', {}, { parent: folder.path }),
      ]
      await bench.restrict(closed.uid)
      assert.deepEqual(uidsOf(await bench.run('Document.GetChildren', folder.uid, {}, { as: 'reader' })), [open.uid])
      assert.equal(uidsOf(await bench.run('Document.GetChildren', folder.uid)).length, 2)
    })
    test('gives those of several folders as one list', async () => {
      const folders = [await bench.make('Folder'), await bench.make('Folder')]
      const made = []
      for (const { path } of folders) made.push(await bench.make('File', {}, { parent: path }))
      const found = await bench.run('Document.GetChildren', `docs:${folders.map(({ path }) => path).join(',')}`)
      assert.deepEqual(
        uidsOf(found),
        made.map(({ uid }) => uid),
      )
    })
    test('shows proxies as what they show', async () => {
      const [folder, file] = [await bench.make('Folder'), await bench.make('File', { 'dc:title': 'shown' })]
      await bench.createProxy(folder.uid, file.uid)
      const { entries } = await bench.run('Document.GetChildren', folder.uid)
      assert.deepEqual([entries[0].title, entries[0].isProxy], ['shown', true])
    })
    refusalsOf(bench, 'Document.GetChildren', {
      'for a folder that is not there': { input: '/nowhere', status: 404, message: '/nowhere' },
      'to who cannot read the folder': () => ({
        as: 'stranger',
        input: bench.shared.uid,
        status: 403,
        message: privilegeMissing('Read', 'stranger'),
      }),
    })
  })

  describe('Document.GetParent', () => {
    test('gives what the document is in', async () => {
      const file = await bench.make()
      assert.equal((await bench.run('Document.GetParent', file.uid)).uid, bench.shared.uid)
    })
    test('gives the nearest ancestor of a type', async () => {
      const outer = await bench.create('Workspace')
      const inner = await bench.create('Workspace', {}, { parent: outer.path })
      const folder = await bench.create('Folder', {}, { parent: inner.path })
      const file = await bench.create('File', {}, { parent: folder.path })
      assert.equal((await bench.run('Document.GetParent', file.uid, { type: 'Workspace' })).uid, inner.uid)
      assert.equal((await bench.run('Document.GetParent', inner.uid, { type: 'Workspace' })).uid, outer.uid)
      assert.equal((await bench.run('Document.GetParent', file.uid, { type: 'Domain' })).path, '/default-domain')
    })
    for (const [what, input, params] of [
      ['the root', '/', {}],
      ['a document with no ancestor of the type', '/default-domain/workspaces', { type: 'Section' }],
    ] as const) {
      test(`gives nothing for ${what}`, async () => {
        const answer = await bench.call('Document.GetParent', input, params)
        assert.deepEqual([answer.status, answer.text], [204, ''])
      })
    }
    test('of several documents leaves out those without one', async () => {
      const file = await bench.make()
      assert.deepEqual(uidsOf(await bench.run('Document.GetParent', ['/', file.uid])), [bench.shared.uid])
    })
    test('of a version is that of its live document', async () => {
      const { uid } = await bench.make()
      const { version } = await bench.checkIn(uid)
      assert.equal((await bench.run('Document.GetParent', version.id)).uid, bench.shared.uid)
    })
    test('is refused to who cannot read the parent', async () => {
      const folder = await bench.make('Folder')
      const file = await bench.make('File', {}, { parent: folder.path })
      const { acls } = await bench.row(bench.shared.uid)
      await bench.setAcls(file.uid, acls)
      await bench.restrict(folder.uid)
      const answer = await bench.call('Document.GetParent', file.uid, {}, { as: 'reader' })
      assertRefused(answer, 403, new RegExp(RegExp.escape(privilegeMissing('Read', 'reader'))))
    })
  })

  describe('Document.FetchByProperty', () => {
    const mark = () => `mark-${crypto.randomUUID()}`
    const fetch = async (params: object, as: 'reader' | 'stranger' | 'Administrator' = 'reader') =>
      uidsOf(await bench.run('Document.FetchByProperty', undefined, params, { as }))

    test('takes one value as a plain text', async () => {
      const source = mark()
      const { uid } = await bench.make('File', { 'dc:source': source })
      await bench.make('File', { 'dc:source': `${source}, and more` })
      assert.deepEqual(await fetch({ property: 'dc:source', values: source }), [uid])
    })
    test('takes several values, as a list or with commas between them', async () => {
      const [one, other] = [mark(), mark()]
      const made = new Set<string>()
      for (const source of [one, other]) made.add((await bench.make('File', { 'dc:source': source })).uid)
      assert.deepEqual(new Set(await fetch({ property: 'dc:source', values: [one, other] })), made)
      assert.deepEqual(new Set(await fetch({ property: 'dc:source', values: `${one},${other}` })), made)
    })
    test('takes whatever is in a value', async () => {
      const source = `it's "quoted" \\ and, listed (${mark()})`
      const { uid } = await bench.make('File', { 'dc:source': source })
      assert.deepEqual(await fetch({ property: 'dc:source', values: [source] }), [uid])
    })
    test('takes a condition that all must meet', async () => {
      const source = mark()
      await bench.make('File', { 'dc:source': source, 'dc:title': 'a' })
      const { uid } = await bench.make('File', { 'dc:source': source, 'dc:title': 'b' })
      const query = "dc:title = 'b' OR dc:title = 'c'"
      assert.deepEqual(await fetch({ property: 'dc:source', values: source, query }), [uid])
    })
    test('gives nothing for no values', async () => {
      assert.deepEqual(await fetch({ property: 'dc:source', values: [] }), [])
      assert.deepEqual(await fetch({ property: 'dc:source', values: '' }), [])
    })
    test('leaves out what the caller cannot see', async () => {
      const source = mark()
      await bench.make('File', { 'dc:source': source })
      assert.deepEqual(await fetch({ property: 'dc:source', values: source }, 'stranger'), [])
    })
    refusalsOf(bench, 'Document.FetchByProperty', {
      'without values': { params: { property: 'dc:title' }, status: 400, message: /Failed to inject parameter 'values'/ },
      'for a property that is none': {
        params: { property: 'dc:nope', values: 'x' },
        status: 400,
        message: /No such property: dc:nope$/,
      },
      'with a condition that is none': {
        params: { property: 'dc:title', values: 'x', query: 'dc:title ==' },
        status: 400,
        message: /Failed to execute query/,
      },
    })
  })

  describe('Document.Filter', () => {
    const kept = async (input: unknown, params: object) => uidsOf(await bench.run('Document.Filter', input, params))
    const cases: { readonly [name: string]: readonly [params: object, kept: readonly string[]] } = {
      'by one type': [{ types: 'Note' }, ['note']],
      'by several types': [{ types: 'Note, File' }, ['file', 'note']],
      'by a facet of the type': [{ facet: 'Folderish' }, ['folder']],
      'by a facet of its own': [{ facet: 'Thumbnail' }, ['note']],
      'by its state': [{ lifecycle: 'approved' }, ['file']],
      'by the beginning of its path': [{ pathStartsWith: '/default-domain/workspaces/shared/filtered-f' }, ['file', 'folder']],
      'by all of them': [{ types: 'File,Folder', lifecycle: 'project' }, ['folder']],
      'by a condition': [{ condition: 'Document.type == "Note" || Document["dc:title"] == "Kept"' }, ['note', 'folder']],
      'by a condition and a type': [{ condition: 'Document.name != "x"', types: 'Note' }, ['note']],
      'by nothing': [{}, ['file', 'note', 'folder']],
    }
    const made = new Map<string, string>()
    before(async () => {
      for (const type of ['File', 'Note', 'Folder']) {
        const name = type.toLowerCase()
        made.set(name, (await bench.make(type, {}, { name: `filtered-${name}` })).uid)
      }
      await bench.change(made.get('file') ?? '', { state: 'approved' })
      await bench.change(made.get('note') ?? '', { facets: ['Thumbnail'] })
      await bench.retitle(made.get('folder') ?? '', 'Kept')
    })
    for (const [name, [params, names]] of Object.entries(cases)) {
      test(`keeps documents ${name}`, async () => {
        assert.deepEqual(
          await kept([...made.values()], params),
          names.map((one) => made.get(one)),
        )
      })
    }
    test('gives a list for one document too', async () => {
      const file = made.get('file')
      assert.deepEqual(await kept(file, { types: 'File' }), [file])
      assert.deepEqual(await kept(file, { types: 'Note' }), [])
    })
    test('tells apart live documents, versions and proxies', async () => {
      const { uid: live } = await bench.make()
      const { version } = await bench.checkIn(live)
      const [link, published] = [
        await bench.createProxy(bench.shared.uid, live),
        await bench.createProxy(bench.shared.uid, version.id),
      ]
      const all = [live, version.id, link, published]
      const expected = {
        Any: all,
        'Regular Document': [live],
        'Document Link': [link],
        'Published Document': [published],
        'Document Proxy': [link, published],
        'Document Version': [version.id],
        'Immutable Document': [version.id, published],
        'Mutable Document': [live, link],
      }
      for (const [name, ids] of Object.entries(expected)) assert.deepEqual(await kept(all, { class: name }), ids, name)
      assert.deepEqual(await kept(all, { facet: 'Immutable' }), [version.id, published])
    })
    refusalsOf(bench, 'Document.Filter', {
      'for a condition that is none': {
        input: '/default-domain',
        params: { condition: 'Document.title ==' },
        status: 400,
        message: /Document\.title ==/,
      },
      'for a condition that gives neither true nor false': {
        input: '/default-domain',
        params: { condition: 'Document.title' },
        status: 400,
        message: /it gives neither true nor false/,
      },
      'for a class that is none': {
        input: '/default-domain',
        params: { class: 'constructor' },
        status: 400,
        message: /There is no class 'constructor'\. It is one of Any, Regular Document/,
      },
    })
  })
})
