import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { groupMembers } from '../../src/core/directories/people.ts'
import { defineOperation, definePlugin } from '../../src/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { placeOf, present, registerClient, storeBearerToken, submit } from '../support/oauth2.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

let runs = 0
/** Is granted a right on more documents than anybody made for a test. */
const many = defineOperation({
  id: 'Test.Many',
  category: 'Test',
  description: 'Looks at very many documents.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [
    on('void', 'void', (_, { session: { principal } }) => {
      runs += 1
      for (let index = 0; index <= 5_000; index++)
        principal.granted?.({ repository: 'default', document: `none-${index}`, permission: 'Read' })
    }),
  ],
})

onEachServer(
  'an Idempotency-Key',
  (server) => {
    const bench = workbenchOn(server)
    const administrator = () => server.as('Administrator')
    let folder = ''
    let file = ''
    before(async () => {
      runs = 0
      await server.addUser('ann', ['editors'])
      folder = (await bench.create('Folder')).uid
      file = (await administrator().post(`/id/${folder}`, { 'entity-type': 'document', type: 'File', name: 'secret-name' })).body
        .uid
      await permit(folder)
    })

    const permit = (id: string) =>
      administrator().post(`/id/${id}/@op/Document.AddPermission`, { params: { permission: 'Everything', username: 'ann' } })
    const block = (id: string) =>
      administrator().post(`/id/${id}/@op/Document.RemovePermission`, { params: { user: 'ann', acl: 'local' } })
    const create = (key: string, title = 'x') =>
      server
        .as('ann')
        .post(
          `/id/${folder}`,
          { 'entity-type': 'document', type: 'File', name: 'f', properties: { 'dc:title': title } },
          { 'Idempotency-Key': key },
        )
    const query = (key: string) =>
      server
        .as('ann')
        .post(
          '/automation/Repository.Query',
          { params: { query: `SELECT * FROM File WHERE ecm:uuid = '${file}'` } },
          { 'Idempotency-Key': key },
        )

    const kept = async () => {
      const { transient } = server.services.directories.store.reader
      return (await transient.list('idempotency:', new Date().toISOString())).map(({ value }) => JSON.stringify(value))
    }

    test('creates once, and belongs to what was sent with it', async () => {
      const first = await create('once')
      assert.equal(first.status, 201, first.text)
      assert.equal((await create('once')).text, first.text)
      const other = await create('once', 'another title')
      assert.equal(other.status, 422)
      assert.match(other.text, /another body/)
    })

    test('is refused for now while the first request with it runs', async () => {
      for (let round = 0; round < 50; round += 1) {
        const answers = await Promise.all(Array.from({ length: 6 }, () => create(`at once ${round}`)))
        const refused = answers.filter(({ status }) => status !== 201)
        for (const { status, headers } of refused) assert.deepEqual([status, headers.get('Retry-After')], [409, '1'])
        if (refused.length > 0) return
      }
      assert.fail('no request met another')
    })

    test('of somebody who is gone repeats nothing to the next of that name', async () => {
      const first = await create('inherited')
      assert.equal(first.status, 201, first.text)
      assert.equal((await administrator().delete('/user/ann')).status, 204)
      // What ann was granted goes in the background.
      await untilIdle(server)
      await server.addUser('ann', ['editors'])
      await permit(folder)
      const own = await create('inherited')
      assert.equal(own.status, 201, own.text)
      assert.notEqual(own.body.uid, first.body.uid)
      assert.equal((await create('inherited')).body.uid, own.body.uid)
    })

    test('repeats nothing to somebody who may not do it any more, and does again when they may', async () => {
      const made = await create('rights')
      const asked = await query('rights-query')
      assert.match(asked.text, /secret-name/)
      assert.ok((await block(folder)).status < 300)
      for (const repeat of [() => create('rights'), () => query('rights-query')]) {
        const refused = await repeat()
        assert.equal(refused.status, 403, refused.text)
        assert.doesNotMatch(refused.text, /secret-name|dc:title/)
      }
      await permit(folder)
      assert.equal((await create('rights')).text, made.text)
      assert.equal((await query('rights-query')).text, asked.text)
    })

    test('repeats no rows of documents that somebody may not read any more', async () => {
      const { uid } = await bench.create('Note', { 'dc:title': 'note', 'note:note': 'the secret' })
      await bench.restrict(uid, grant('ann', 'Read'))
      const where = `FROM Note WHERE ecm:uuid = '${uid}'`
      for (const columns of ['note:note', 'DISTINCT note:note', 'COUNT(note:note), MAX(note:note)']) {
        const rows = () =>
          server
            .as('ann')
            .post(
              '/automation/Repository.ResultSetQuery',
              { params: { query: `SELECT ${columns} ${where}` } },
              { 'Idempotency-Key': `rows of ${columns}` },
            )
        const first = await rows()
        assert.match(first.text, /the secret/)
        assert.equal((await rows()).text, first.text)
        await bench.restrict(uid)
        const refused = await rows()
        assert.equal(refused.status, 403, refused.text)
        await bench.restrict(uid, grant('ann', 'Read'))
        assert.equal((await rows()).text, first.text)
      }
    })

    describe('of a call that only reads', () => {
      const call = (operation: string, params: object, key: string) =>
        server.as('ann').post(`/automation/${operation}`, { params }, { 'Idempotency-Key': key })
      /** What two answers tell when the right to read the note is lost between them, and a third when it is back. */
      async function toldOf(uid: string, ask: () => Promise<ApiAnswer>): Promise<readonly Answered[]> {
        await bench.restrict(uid, grant('ann', 'Read'))
        const first = await ask()
        await bench.restrict(uid)
        const second = await ask()
        await bench.restrict(uid, grant('ann', 'Read'))
        return [first, second, await ask()].map((answer) => requireStatus(200, answer))
      }
      const labelled = async (label: string) => {
        const { uid } = await bench.create('Note', { 'dc:title': `title ${label}` })
        requireStatus(
          200,
          await administrator().post('/automation/Services.TagDocument', { input: uid, params: { tags: label } }),
        )
        return uid
      }

      test('suggests no tag of a document that somebody may not read any more', async () => {
        const uid = await labelled('hush')
        const shown = [{ id: 'hush', displayLabel: 'hush' }]
        assert.deepEqual(await toldOf(uid, () => call('Tag.Suggestion', { searchTerm: 'hush' }, 'tags')), [shown, [], shown])
      })

      test('counts no document that somebody may not read any more, on whichever page it was', async () => {
        const [one, other] = [await labelled('counted'), await labelled('counted')]
        await bench.restrict(one, grant('ann', 'Read'))
        const params = { query: "SELECT * FROM Note WHERE ecm:tag = 'counted' ORDER BY ecm:pos, dc:created", pageSize: 1 }
        const told = await toldOf(other, () => call('Repository.Query', params, 'count'))
        assert.deepEqual(
          told.map(({ resultsCount, entries: [{ uid }] }) => [resultsCount, uid]),
          [
            [2, one],
            [1, one],
            [2, one],
          ],
        )
      })

      test('keeps nothing of what was told', async () => {
        await bench.restrict(await labelled('unwritten'), grant('ann', 'Read'))
        const found = await call('Repository.Query', { query: "SELECT * FROM Note WHERE ecm:tag = 'unwritten'" }, 'kept')
        assert.match(found.text, /title unwritten/)
        assert.ok(!(await kept()).some((one) => one.includes('title unwritten')))
      })

      test('belongs to one body all the same', async () => {
        assert.equal((await call('Tag.Suggestion', { searchTerm: 'a' }, 'one body')).status, 200)
        const other = await call('Tag.Suggestion', { searchTerm: 'b' }, 'one body')
        assert.equal(other.status, 422, other.text)
      })

      test('suggests no more where the call is sent in several parts', async () => {
        const uid = await labelled('apart')
        const form = new FormData()
        form.append('request', new Blob([JSON.stringify({ params: { searchTerm: 'apart' } })], { type: 'application/json' }))
        form.append('file', new Blob(['text']), 'a.txt')
        const sent = new Response(form)
        const headers = { 'content-type': sent.headers.get('content-type') ?? '', 'Idempotency-Key': 'parts' }
        const body = await sent.bytes()
        const shown = [{ id: 'apart', displayLabel: 'apart' }]
        const ask = () => server.as('ann').call('POST', 'api/v1/automation/Tag.Suggestion', { headers, body })
        assert.deepEqual(await toldOf(uid, ask), [shown, [], shown])
      })

      test('has changed nothing twice: what is switched, and a batch that is used up, are answered as before', async () => {
        const { traces } = server.services.diagnostics
        const before = traces.isRecording
        const toggle = () =>
          administrator().post('/automation/Traces.ToggleRecording', { params: {} }, { 'Idempotency-Key': 'toggle' })
        const [first, again] = [await toggle(), await toggle()]
        assert.equal(traces.isRecording, !before)
        traces.isRecording = before
        assert.equal(again.text, first.text)
        const { batchId } = requireStatus(201, await server.as('ann').post('/upload', undefined))
        requireStatus(201, await server.as('ann').post(`/upload/${batchId}/0`, { some: 'text' }, { 'X-File-Name': 'a.json' }))
        const use = () =>
          server.as('ann').post(`/upload/${batchId}/execute/Context.FetchFile`, {}, { 'Idempotency-Key': 'batch' })
        const [used, usedAgain] = [await use(), await use()]
        assert.equal(used.status, 200, used.text)
        assert.deepEqual([usedAgain.status, usedAgain.text], [200, used.text])
      })
    })

    test('repeats no answer that is about more documents than can be looked at again, nor what was done', async () => {
      const ask = () => server.as('ann').post('/automation/Test.Many', {}, { 'Idempotency-Key': 'many' })
      assert.equal((await ask()).status, 204)
      const again = await ask()
      assert.equal(again.status, 409, again.text)
      assert.match(again.text, /was done/)
      assert.equal(runs, 1)
    })

    test('repeats nothing to somebody who has left a group', async () => {
      const asked = await query('group')
      assert.equal(asked.status, 200)
      const leave = (isIn: boolean) =>
        server.asSystem(({ tx: { directories } }) =>
          isIn ? directories.addTarget(groupMembers, 'editors', 'ann') : directories.removeTarget(groupMembers, 'editors', 'ann'),
        )
      await leave(false)
      assert.equal((await query('group')).status, 403)
      await leave(true)
      assert.equal((await query('group')).text, asked.text)
    })

    describe('leaves in the database', () => {
      test('no token, which is the same for who asks again', async () => {
        const ask = () =>
          server.as('ann').post('/token?application=app&deviceId=d&permission=rw', undefined, { 'Idempotency-Key': 'token' })
        const [first, again] = [await ask(), await ask()]
        assert.deepEqual([first.status, again.status], [201, 201], first.text)
        assert.equal(again.text, first.text)
        assert.equal(again.headers.get('idempotency-key'), 'token')
        assert.ok(!(await kept()).some((one) => one.includes(first.text)))
      })

      test('no code of a program', async () => {
        await registerClient(server, 'app')
        const asked = { client_id: 'app', response_type: 'code', grant_access: '1' }
        const send = async () => {
          const code = placeOf(await submit(server, 'ann', asked, { 'Idempotency-Key': 'code' })).searchParams.get('code')
          assert.ok(code)
          return code
        }
        const codes = [await send(), await send()]
        for (const code of codes) assert.ok(!(await kept()).some((one) => one.includes(code)))
        const { status, text } = await present(server, {
          grant_type: 'authorization_code',
          client_id: 'app',
          code: codes[1] ?? '',
        })
        assert.equal(status, 200, text)
      })

      test('nothing to guess a password by that was sent, and no credentials of the address', async () => {
        const body = JSON.stringify({ 'entity-type': 'user', properties: { username: 'eve', password: 'kitten' } })
        const access_token = await storeBearerToken(server, 'Administrator')
        const address = new URL(`api/v1/user?${new URLSearchParams({ access_token })}`, server.url)
        const headers = { 'Idempotency-Key': 'user', 'content-type': 'application/json' }
        const send = async () => {
          const answer = await fetch(address, { method: 'POST', headers, body })
          return { status: answer.status, text: await answer.text() }
        }
        const first = await send()
        assert.equal(first.status, 201, first.text)
        assert.deepEqual(await send(), first)
        const records = await kept()
        assert.ok(records.length > 0)
        for (const secret of [access_token, hash('sha256', body)]) assert.ok(!records.some((one) => one.includes(secret)))
      })
    })
  },
  { plugins: [definePlugin({ name: 'many', operations: [many] })] },
)
