import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createDocument } from '../../../src/core/documents/create-document.ts'
import { readDocumentByPath } from '../../../src/core/documents/read-document.ts'
import { type AnswerBody, startTestServer, type TestServer } from '../../../src/testing.ts'
import { commandLineAt } from '../../support/command-line.ts'
import { type DatabasePlace, engines } from '../../support/database-place.ts'
import { filledPlace } from '../../support/fresh-place.ts'

const workspaces = '/default-domain/workspaces'

/** A folder with a file that has a version, a proxy, rights for a time, a comment, a relation, a workflow and a collection. */
async function aProject(server: TestServer): Promise<AnswerBody> {
  const admin = server.as('Administrator')
  const create = async (folder: string, type: string, name: string, properties: object = {}) => {
    const { status, body, text } = await admin.post(`/path${folder}`, { 'entity-type': 'document', type, name, properties })
    assert.equal(status, 201, text)
    return body
  }
  const run = async (name: string, input: string, params: object) => {
    const { status, text } = await admin.post(`/automation/${name}`, { input, params })
    assert.ok(status < 300, `${name}: ${text}`)
  }
  const project = await create(workspaces, 'Workspace', 'project')
  const content = { data: 'what it says', name: 'plan.txt', 'mime-type': 'text/plain' }
  const plan = await create(project.path, 'File', 'plan', { 'dc:title': 'Plan', 'file:content': content })
  const elsewhere = await create(workspaces, 'File', 'elsewhere')
  await run('Document.CreateVersion', plan.path, { increment: 'Major' })
  const dates = { begin: '2031-01-01T00:00:00Z', end: '2032-01-01T00:00:00Z' }
  await run('Document.AddPermission', plan.path, { username: 'ann', permission: 'ReadWrite', ...dates })
  await run('Document.CreateLiveProxy', plan.path, { 'Destination Path': project.path })
  await run('Document.CreateLiveProxy', elsewhere.path, { 'Destination Path': project.path })
  await run('Document.CreateVersion', elsewhere.path, { increment: 'Major' })
  await admin.post(`/path${plan.path}/@comment`, { 'entity-type': 'comment', text: 'Is it good?', parentId: plan.uid })
  await create(project.path, 'Collection', 'chosen')
  await run('Document.AddToCollection', plan.path, { collection: `${project.path}/chosen` })
  await create(project.path, 'Note', 'note', { 'note:note': `see ${plan.uid}`, 'note:mime_type': 'text/plain' })
  await run('Document.AddRelation', plan.path, { object: `${project.path}/note`, predicate: 'urn:about' })
  const review = { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview', attachedDocumentIds: [plan.uid] }
  assert.equal((await admin.post('/workflow', review)).status, 201)
  return plan
}

for (const engine of engines) {
  describe(`an archive of a tree (${engine})`, () => {
    let [place, other]: DatabasePlace[] = []
    let server: TestServer
    let plan: AnswerBody
    let archive: string
    before(async () => {
      place = await filledPlace(engine)
      other = await filledPlace(engine)
      server = await startTestServer({ settings: (place as DatabasePlace).settings })
      await server.addUser('ann', ['members'])
      plan = await aProject(server)
      archive = join(place.folder, 'project.zip')
      await commandLineAt(place).json(['export', `${workspaces}/project/`, archive])
    })
    after(() => server.stop())

    /** What clients see of the plan, wherever the tree is. */
    async function seen(on: TestServer, folder: string) {
      const admin = on.as('Administrator')
      const at = `/path${folder}/plan`
      const { body: document } = await admin.get(at, { properties: '*', 'enrichers.document': 'acls' })
      const found = async (query: string) =>
        (await admin.get(`/search/lang/NXQL/execute?query=${encodeURIComponent(query)}`, { properties: '*' })).body.entries
      const versions = await found(`SELECT * FROM File WHERE ecm:isVersion = 1 AND ecm:versionVersionableId = '${document.uid}'`)
      const comments = (await admin.get(`${at}/@comment`)).body.entries
      const children = (await admin.get(`/path${folder}/@children?sortBy=ecm:name`)).body.entries
      const relations = await found(`SELECT * FROM DefaultRelation WHERE relation:source = '${document.uid}'`)
      return {
        uid: document.uid,
        content: (await admin.get(`${at}/@blob/file:content`)).text,
        collections: document.properties['collectionMember:collectionIds'],
        acls: document.contextParameters.acls.filter(({ name }: AnswerBody) => name !== 'inherited'),
        versions: versions.map(({ uid }: AnswerBody) => uid),
        comments: comments.map(({ text, parentId }: AnswerBody) => ({ text, parentId })),
        children: children.map(({ path, type, isProxy }: AnswerBody) => [path.slice(folder.length + 1), type, isProxy]),
        ends: relations.map(({ properties }: AnswerBody) => properties['relation:target']),
        workflows: (await admin.get(`${at}/@workflow`)).body.entries.length,
        tasks: (await admin.get(`${at}/@task`)).body.entries.map(({ targetDocumentIds }: AnswerBody) => targetDocumentIds[0].id),
        history: (await admin.get(`${at}/@audit`)).body.entries
          .map(({ eventId }: AnswerBody) => eventId)
          .filter((event: string) => event !== 'download'),
        note: (await admin.get(`/path${folder}/note`, { properties: '*' })).body.properties['note:note'],
      }
    }

    test('comes to another server with its ids, its history and all that is about it, but for what it shows from elsewhere', async () => {
      const there = other as DatabasePlace
      const result = await commandLineAt(there).json(['import', archive, '--to', workspaces])
      assert.deepEqual([result.renumbered, result.leftOut, result.files], [0, 1, 1])
      const target = await startTestServer({ settings: there.settings })
      try {
        const before = await seen(server, `${workspaces}/project`)
        const { children, ...rest } = await seen(target, `${workspaces}/project`)
        const { children: all, ...expected } = before
        assert.deepEqual(rest, expected)
        assert.deepEqual(
          children,
          all.filter(([name]: [string]) => name !== 'elsewhere'),
        )
        assert.deepEqual([rest.workflows, rest.tasks, rest.comments.length, rest.ends.length], [1, [plan.uid], 1, 1])
      } finally {
        await target.stop()
      }
    })

    test('beside itself gets new ids, and refers to its own documents', async () => {
      const result = await commandLineAt(place as DatabasePlace).json(['import', archive, '--to', workspaces])
      assert.ok(result.renumbered > 5 && result.leftOut === 0, JSON.stringify(result))
      const { entries } = (await server.as('Administrator').get(`/path${workspaces}/@children`)).body
      const copies = entries.filter(({ path }: AnswerBody) => path.startsWith(`${workspaces}/project.`))
      const [first, copy] = [await seen(server, `${workspaces}/project`), await seen(server, copies[0]?.path)]
      assert.notEqual(copy.uid, first.uid)
      assert.deepEqual(copy.tasks, [copy.uid])
      assert.deepEqual(
        [copy.content, copy.acls, copy.history, copy.workflows, copy.children],
        [first.content, first.acls, first.history, first.workflows, first.children],
      )
      assert.equal(copy.note, `see ${copy.uid}`)
      assert.deepEqual([copy.versions.length, copy.comments[0].parentId], [1, copy.uid])
      assert.ok(copy.ends.length === 1 && copy.ends[0] !== first.ends[0] && copy.collections[0] !== first.collections[0])
    })

    test('that is stopped in the middle comes whole, and once, with the next command', async () => {
      const here = place as DatabasePlace
      await server.asSystem(async (session) => {
        const parent = await createDocument(session, {
          parent: await readDocumentByPath(session, workspaces),
          type: 'Folder',
          name: 'many',
          properties: {},
        })
        for (let number = 0; number < 250; number++)
          await createDocument(session, { parent, type: 'Folder', name: `n${number}`, properties: { 'dc:title': `N ${number}` } })
      })
      const many = join(here.folder, 'many.zip')
      await commandLineAt(here).json(['export', `${workspaces}/many`, many])
      const to = `${workspaces}/project`
      const stopper = {
        columns: 200,
        draw: (line: string) => void (/200 of 251 documents /.test(line) && process.emit('SIGTERM')),
      }
      const stopOnce = async () => {
        const stopped = await commandLineAt(here).run(['import', many, '--to', to], { terminal: stopper })
        assert.match(stopped.complained, /goes on where it was/)
      }
      const remove = async () => assert.equal((await server.as('Administrator').delete(`/path${to}/many`)).status, 204)
      await stopOnce()
      await remove()
      const anew = await commandLineAt(here).json(['import', many, '--to', to])
      assert.deepEqual([anew.isContinued, anew.imported], [false, 251], 'what was removed meanwhile is not gone on with')
      await remove()
      await stopOnce()
      const result = await commandLineAt(here).json(['import', many, '--to', to])
      assert.deepEqual([result.isContinued, result.imported, result.renumbered], [true, 251, 251])
      const query = encodeURIComponent(`SELECT * FROM Folder WHERE ecm:path STARTSWITH '${to}/many' AND ecm:name <> 'many'`)
      const found = await server.as('Administrator').get(`/search/lang/NXQL/execute?query=${query}&pageSize=1`)
      assert.equal(found.body.resultsCount, 250)
    })
  })
}
