import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { asynchronousKind } from '../../src/automation/asynchronous-kind.ts'
import { notBegun, unlessTold } from '../../src/core/bulk/bulk-command.ts'
import { scrollKind } from '../../src/core/bulk/bulk-job.ts'
import { addCommand } from '../../src/core/bulk/bulk-records.ts'
import { listenerJobKind } from '../../src/core/event.ts'
import { addExecution } from '../../src/features/automation/async/execution.ts'
import { csvImportKind } from '../../src/features/csv/import/import-job.ts'
import { findImport, storeImport } from '../../src/features/csv/import/import-records.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { aUser } from '../support/accounts.ts'
import { untilIdle } from '../support/background.ts'
import { aForm, createMailbox, inviteForLink, sendForm } from '../support/invitations.ts'
import { callWithFiles, jsonOf } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const mailbox = createMailbox()

onEachServer(
  'what a removed user has asked for is not done with the rights of the next one of that name:',
  (server) => {
    const bench = workbenchOn(server)
    const administrator = () => server.as('Administrator')
    const add = async (name: string, ...groups: string[]) =>
      requireStatus(201, await administrator().post('/user', aUser(name, { password: name, groups: ['members', ...groups] })))
    const replace = async (name: string, ...groups: string[]) => {
      requireStatus(204, await administrator().delete(`/user/${name}`))
      await untilIdle(server)
      await add(name, ...groups)
    }
    /** A document that the next one of the name may write and the first could only read. */
    const makeFor = async (name: string, type = 'File'): Promise<Answered> => {
      const made = await bench.create(type)
      await bench.restrict(made.uid, grant('members', 'Read'), grant(name, 'Everything'))
      return made
    }
    const stays = async (uid: string) => requireStatus(200, await administrator().get(`/id/${uid}`))
    before(() => add('bob'))

    test('the chain of a task', async () => {
      await add('maker')
      const { uid } = await bench.create('File')
      await bench.restrict(uid, grant('members', 'Read'))
      const params = {
        'task name': 'delete it',
        'accept operation chain': 'Document.Delete',
        'additional list of actors prefixed ids': 'user:bob',
      }
      requireStatus(200, await operationsOn(server, 'maker')('Task.Create', { input: uid, params }))
      await replace('maker')
      await bench.restrict(uid, grant('members', 'Read'), grant('maker', 'Everything'))
      const [task] = requireStatus(200, await server.as('bob').get(`/id/${uid}/@task`)).entries
      const answer = await server.as('bob').put(`/task/${task.id}/accept`, { 'entity-type': 'task', id: task.id, variables: {} })
      assert.deepEqual([answer.status, /there is no such user any more/.test(answer.text)], [400, true], answer.text)
      await stays(uid)
    })

    test('an invitation', async () => {
      await add('host', 'powerusers')
      const links = [await inviteForLink(server, mailbox, { name: 'first-guest' }, 'host')]
      await replace('host', 'powerusers')
      links.push(await inviteForLink(server, mailbox, { name: 'second-guest' }, 'host'))
      const statuses: number[] = []
      for (const link of links) statuses.push((await sendForm(server, aForm(link, 'secret'))).status)
      assert.equal(statuses[0], 403)
      requireStatus(404, await administrator().get('/user/first-guest'))
      requireStatus(200, await administrator().get('/user/second-guest'))
    })

    test('a bulk action, of which they are told nothing', async () => {
      await add('bulky')
      const submitted = new Date().toISOString()
      await replace('bulky')
      const { uid } = await makeFor('bulky')
      const command = {
        ...unlessTold,
        id: '01a1ee72-0000-7000-8000-000000000001',
        action: 'setProperties',
        parameters: { 'dc:source': 'taken' },
        query: `SELECT * FROM File WHERE ecm:uuid = '${uid}'`,
        isUnrestricted: false,
        username: 'bulky',
        submitted,
      }
      await server.asSystem(async ({ tx }) => {
        await addCommand(tx.transient, command, notBegun)
        await tx.jobs.add(scrollKind, { commandId: command.id, after: null })
      })
      await untilIdle(server)
      requireStatus(404, await server.as('bulky').get(`/bulk/${command.id}`))
      const { state, errorMessage } = requireStatus(200, await administrator().get(`/bulk/${command.id}`))
      assert.deepEqual([state, errorMessage], ['ABORTED', 'There is no user bulky any more'])
      assert.equal((await bench.readProperties(uid))['dc:source'], null)
    })

    describe('an asynchronous call', () => {
      test('of which they are not told how it ended', async () => {
        await add('caller')
        const answer = await server.as('caller').post('/automation/Log/@async', { params: { level: 'info', message: 'x' } })
        requireStatus(202, answer)
        const path = new URL(answer.headers.get('location') ?? '').pathname.slice(1)
        await untilIdle(server)
        assert.notEqual((await server.as('caller').call('GET', path)).status, 404)
        await replace('caller')
        assert.equal((await server.as('caller').call('GET', path)).status, 404)
      })
      test('that has not run yet', async () => {
        await add('waiting')
        const asked = new Date().toISOString()
        await replace('waiting')
        const { uid } = await makeFor('waiting')
        const execution = { id: '01a1ee72-0000-7000-8000-000000000002', username: 'waiting', asked } as const
        const job = {
          executionId: execution.id,
          id: 'Document.Update',
          username: 'waiting',
          params: { properties: 'dc:source=taken' },
          context: {},
        }
        await server.asSystem(async ({ tx, now }) => {
          await addExecution(tx.transient, { ...execution, state: { kind: 'running' } }, now)
          const environment = { baseUrl: server.url, headers: {}, staged: { blobs: [], texts: [] } }
          await tx.jobs.add(asynchronousKind, { ...job, input: { kind: 'string', text: uid }, ...environment })
        })
        await untilIdle(server)
        assert.equal((await bench.readProperties(uid))['dc:source'], null)
      })
    })

    test('an import, of which they are told nothing', async () => {
      await add('importer')
      const text = 'name,type,dc:title\nimported,File,Imported\n'
      const { uid, path } = await makeFor('importer', 'Folder')
      const started = await callWithFiles(
        server,
        'CSV.Import',
        [{ name: 'documents.csv', content: text, type: 'text/csv' }],
        { params: { path } },
        { user: 'importer' },
      )
      const id: string = jsonOf(started).value
      await untilIdle(server)
      const imported = requireStatus(200, await administrator().get(`/path${path}/imported`))
      requireStatus(204, await administrator().delete(`/id/${imported.uid}`))
      await replace('importer')
      await bench.restrict(uid, grant('importer', 'Everything'))
      requireStatus(204, await operationsOn(server, 'importer')('CSV.ImportLog', { input: id }))
      // As if the process had been stopped before the first line.
      await server.asSystem(async ({ tx, now }) => {
        const record = await findImport(tx, id, now)
        assert.ok(record)
        await storeImport(tx.transient, { ...record, state: 'SCHEDULED', total: -1, processed: 0 }, now)
        await tx.jobs.add(csvImportKind, { id, file: record.file.key })
      })
      await untilIdle(server)
      requireStatus(404, await administrator().get(`/path${path}/imported`))
    })

    test('the transition of a folder, for what is in it', async () => {
      await add('leader')
      const time = new Date().toISOString()
      await replace('leader')
      const folder = await makeFor('leader', 'Folder')
      const { uid } = await bench.create('File', {}, { parent: folder.path })
      const event = {
        name: 'lifecycle_transition_event',
        time,
        principal: 'leader',
        isByServer: false,
        documentId: folder.uid,
        properties: { transition: 'approve' },
      }
      await server.asSystem(({ tx }) => tx.jobs.add(listenerJobKind, { listener: 'lifecycleBelow', events: [event] }))
      await untilIdle(server)
      assert.equal((await stays(uid)).state, 'project')
    })
  },
  { plugins: [mailbox.plugin] },
)

onEachServer(
  'the inbox of a removed user',
  (server) => {
    test('is not that of the next one of that name in any repository', async () => {
      const administrator = server.as('Administrator')
      const add = async () =>
        requireStatus(201, await administrator.post('/user', aUser('reader', { password: 'reader', groups: ['members'] })))
      const told = async (place: string): Promise<number> =>
        requireStatus(200, await server.as('reader').get(`${place}/me/notifications`)).entries.length
      await add()
      for (const name of ['default', 'other']) {
        const repository = server.services.repositories.get(name)
        assert.ok(repository)
        const root = requireStatus(200, await administrator.get(`/repo/${name}/path/`)).uid
        await repository.store.transact(({ tables }) =>
          tables.run(sql`
            INSERT INTO notifications_inbox (user_name, event, document_id, actor, happened, remark, is_read)
            VALUES (${'reader'}, ${'documentModified'}, ${root}, ${'bob'}, ${new Date().toISOString()}, ${'said'}, ${0})`),
        )
      }
      const places = ['', '/repo/other']
      assert.deepEqual(await Promise.all(places.map(told)), [1, 1])
      requireStatus(204, await administrator.delete('/user/reader'))
      await untilIdle(server)
      await add()
      assert.deepEqual(await Promise.all(places.map(told)), [0, 0])
    })
  },
  { settings: { repositories: ['default', 'other'] } },
)
