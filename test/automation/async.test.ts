import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { asynchronousKind } from '../../src/automation/asynchronous-kind.ts'
import type { Json } from '../../src/base/json.ts'
import { homeOf } from '../../src/core/blob-gc/known-repositories.ts'
import type { AsynchronousCall } from '../../src/features/automation/async/asynchronous-call.ts'
import { addExecution } from '../../src/features/automation/async/execution.ts'
import { asynchronousCalls } from '../../src/features/automation/async/run-asynchronously.ts'
import { untilIdle } from '../support/background.ts'
import { download } from '../support/files.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { specimenOperations } from '../support/specimen-operations.ts'
import { beginBatch } from '../support/uploads.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer(
  '1.11 an asynchronous call',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)

    async function submit(id: string, body: object = {}, user = 'Administrator') {
      const answer = await server.as(user).post(`/automation/${id}/@async`, body)
      assert.deepEqual([answer.status, answer.text], [202, ''])
      const location = answer.headers.get('location') ?? ''
      assert.match(location, new RegExp(`^${server.url}api/v1/automation/${id}/@async/[0-9a-f-]{36}/status$`))
      return new URL(location).pathname.slice(1)
    }

    /** The address of the result, which the state leads to. */
    async function resultOf(id: string, body: object = {}, user = 'Administrator') {
      const path = await submit(id, body, user)
      let answer = await server.as(user).call('GET', path)
      // On a busy machine it may take longer than a look waits for it.
      while (answer.text.includes('RUNNING')) answer = await server.as(user).call('GET', path)
      assert.deepEqual([answer.status, answer.text], [303, ''])
      const location = answer.headers.get('location') ?? ''
      assert.equal(location, `${server.url}${path.replace(/\/status$/, '')}`)
      return new URL(location).pathname.slice(1)
    }

    const read = (path: string, user = 'Administrator', headers = {}) => server.as(user).call('GET', path, { headers })

    describe('gives', () => {
      const values: [what: string, input: string, shown: string][] = [
        ['a text', '"x"', '{"entity-type":"string","value":"x"}'],
        ['a number of any size', '1000000000000000001', '{"entity-type":"number","value":1000000000000000001}'],
        ['a list', '[1,{"a":null}]', '{"entity-type":"list","value":[1,{"a":null}]}'],
        [
          'a date',
          '{"entity-type":"date","value":"2026-01-31T10:20:30.000Z"}',
          '{"entity-type":"date","value":"2026-01-31T10:20:30.000Z"}',
        ],
      ]
      for (const [what, input, shown] of values) {
        test(what, async () => {
          const answer = await server.as('Administrator').post('/automation/Specimen.Echo/@async', `{"input":${input}}`)
          const status = await read(new URL(answer.headers.get('location') ?? '').pathname.slice(1))
          const { text } = await read(new URL(status.headers.get('location') ?? '').pathname.slice(1))
          assert.equal(text, shown)
        })
      }

      test('nothing', async () => {
        const path = await resultOf('Log', { params: { level: 'info', message: 'x' } })
        assert.equal((await read(path)).status, 204)
      })

      test('a document, shown as the headers of the one who reads it ask', async () => {
        const { uid } = await bench.create('Note', { 'dc:title': 'before' })
        const path = await resultOf('Document.Update', { input: uid, params: { properties: { 'dc:title': 'after' } } })
        const { status, body } = await read(path, 'Administrator', { properties: 'dublincore' })
        assert.deepEqual([status, body.uid, body.properties['dc:title']], [200, uid, 'after'])
        assert.equal((await read(path)).body.properties, undefined)
      })

      test('documents', async () => {
        const path = await resultOf('Specimen.Echo', { input: 'docs:/default-domain,/default-domain/workspaces' })
        const { body } = await read(path)
        assert.deepEqual(
          [body['entity-type'], body.entries.map((one: { path: string }) => one.path)],
          ['documents', ['/default-domain', '/default-domain/workspaces']],
        )
      })

      test('a file, as often as it is read', async () => {
        const path = await resultOf('Specimen.Json')
        for (const _ of [1, 2]) {
          const answer = await download(server, path)
          assert.deepEqual([answer.status, answer.text], [200, '[{"a":1}]'])
          assert.match(answer.headers.get('content-disposition') ?? '', /filename=json/)
        }
      })

      test('several files', async () => {
        const answer = await download(server, await resultOf('Specimen.Blobs', { params: { texts: ['one', 'two'] } }))
        assert.match(answer.headers.get('content-type') ?? '', /^multipart\/mixed/)
      })

      test('the way to a download, when it is a map with an url', async () => {
        const path = await resultOf('Specimen.Echo', { input: { url: '/nxbigblob/x' } })
        const { status, headers } = await read(path)
        assert.deepEqual([status, headers.get('location')], [303, `${server.url}nxbigblob/x`])
      })

      test('the way to it as a header can hold it, whatever the url has in it', async () => {
        const cases: [url: string, location: string][] = [
          ['é ☃', '%C3%A9%20%E2%98%83'],
          ['/a\r\nSet-Cookie: x=y', 'aSet-Cookie:%20x=y'],
          ['a/b\r\nc', 'a/bc'],
          ['//elsewhere.test/x', 'elsewhere.test/x'],
          ['/\\elsewhere.test/x', 'elsewhere.test/x'],
          [`${server.url}nxbigblob/x?a=b`, 'nxbigblob/x?a=b'],
        ]
        for (const [url, location] of cases) {
          const { status, headers } = await read(await resultOf('Specimen.Echo', { input: { url } }))
          assert.deepEqual([status, headers.get('location')], [303, `${server.url}${location}`], url)
        }
      })

      test('the map itself, when its url leads away from the server or nowhere', async () => {
        const urls = [
          'https://elsewhere.test/x',
          'javascript:alert(1)',
          ' java\tscript:alert(1)',
          'data:text/html,x',
          '\t//elsewhere.test/x',
          `http://me@${new URL(server.url).host}/x`,
          'http://[',
          ' ',
          'x'.repeat(10_000),
        ]
        for (const url of urls) {
          const { status, headers, body } = await read(await resultOf('Specimen.Echo', { input: { url } }))
          assert.deepEqual([status, headers.get('location')], [200, null], url)
          assert.deepEqual(body, { 'entity-type': 'map', value: { url } })
        }
      })

      test('another status where the operation chose one', async () => {
        assert.equal((await read(await resultOf('Specimen.Status', { input: 'x', params: { status: 206 } }))).status, 206)
      })
    })

    describe('that fails', () => {
      test('leads to its result, too, which has the status and the words of the failure', async () => {
        const path = await resultOf('Specimen.Fail')
        const { status, body } = await read(path)
        assert.deepEqual(body, {
          'entity-type': 'exception',
          status: 405,
          message: 'Failed to invoke operation Specimen.Fail, Not with this specimen.',
        })
        assert.equal(status, 405)
        assert.equal((await read(path)).status, 405)
      })

      test('undoes what it did', async () => {
        const { uid } = await bench.create('Note', { 'dc:description': 'whole' })
        assert.equal((await read(await resultOf('Specimen.Fail', { input: uid }))).status, 405)
        assert.equal((await bench.readProperties(uid))['dc:description'], 'whole')
      })

      test('tells nothing of a defect', async () => {
        const { status, body } = await read(await resultOf('Specimen.Fail', { params: { how: 'broken' } }))
        assert.deepEqual([status, body.message], [500, 'Internal Server Error'])
      })

      test('says which parameter is missing, though it was accepted', async () => {
        const { status, body } = await read(await resultOf('Document.Fetch'))
        assert.equal(status, 400)
        assert.match(body.message, /^Failed to inject parameter 'value'\. Seems it is missing from the context/)
      })
    })

    test('is refused at once when there is no such operation, or it is not for the caller', async () => {
      await server.addUser('anybody')
      assert.equal((await server.as('Administrator').post('/automation/Noop/@async', {})).status, 404)
      assert.equal((await server.as('anybody').post('/automation/Specimen.ForAdministrators/@async', {})).status, 404)
      assert.equal((await server.as('Administrator').post('/automation/Specimen.Echo/@async', '')).status, 400)
    })

    test('is run for its caller, with their rights', async () => {
      await server.addUser('caller')
      const { body } = await read(await resultOf('Specimen.Tell', { params: { text: 't' } }, 'caller'), 'caller')
      assert.deepEqual([body.value.user, body.value.text], ['caller', 't'])
      const refused = await resultOf('Document.Update', { input: '/', params: { properties: { 'dc:title': 'x' } } }, 'caller')
      assert.equal((await read(refused, 'caller')).status, 403)
    })

    test('is nobody’s but the caller’s and administrators’', async () => {
      await server.addUser('owner')
      await server.addUser('other')
      const path = await resultOf('Specimen.Echo', { input: 'mine' }, 'owner')
      assert.equal((await read(path, 'owner')).status, 200)
      assert.equal((await read(path)).status, 200)
      for (const method of ['GET', 'DELETE']) {
        const { status, body } = await server.as('other').call(method, path)
        assert.equal(status, 404)
        assert.match(body.message, /^Execution with id=[0-9a-f-]+ not found$/)
      }
      assert.equal((await read(`${path}/status`, 'other')).status, 404)
    })

    test('that nobody knows is not found', async () => {
      const path = 'api/v1/automation/Specimen.Echo/@async/0198-unknown'
      for (const [method, address] of [
        ['GET', `${path}/status`],
        ['GET', path],
        ['DELETE', path],
      ] as const) {
        assert.equal((await server.as('Administrator').call(method, address)).status, 404)
      }
    })

    test('that has not ended is RUNNING, has no result, and cannot be stopped', async () => {
      const path = await submit('Specimen.Wait', { params: { name: 'first' } })
      const slow = read(path)
      const result = path.replace(/\/status$/, '')
      assert.equal((await read(result)).status, 404)
      const deleted = await server.as('Administrator').call('DELETE', result)
      assert.deepEqual([deleted.status, deleted.text], [200, '{"entity-type":"string","value":"RUNNING"}'])
      assert.deepEqual([(await slow).status, (await slow).text], [200, '{"entity-type":"string","value":"RUNNING"}'])
      assert.equal((await call('Specimen.Release', { params: { name: 'first' } })).status, 204)
      while ((await read(path)).status !== 303) await wait(20)
      assert.equal((await read(result)).body.value, 'released')
      assert.equal((await server.as('Administrator').call('DELETE', result)).status, 404)
    })

    test('keeps no other call and no other work waiting', async () => {
      const waiting = await submit('Specimen.Wait', { params: { name: 'second' } })
      assert.equal((await read(await resultOf('Specimen.Echo', { input: 'quick' }))).body.value, 'quick')
      await call('Specimen.Release', { params: { name: 'second' } })
      while ((await read(waiting)).status !== 303) await wait(20)
    })

    test('is not run again when its job comes back', async () => {
      const { uid } = await bench.create('Note', {})
      const params = { properties: { 'dc:title': 'once' } }
      const path = await resultOf('Document.Update', { input: uid, params })
      await bench.update(uid, { 'dc:title': 'changed since' })
      const job: AsynchronousCall = {
        executionId: path.split('/').at(-1) ?? '',
        id: 'Document.Update',
        username: 'Administrator',
        params,
        context: {},
        input: { kind: 'string', text: uid },
        baseUrl: server.url,
        headers: {},
        staged: { blobs: [], texts: [] },
      }
      await server.asSystem((session) => session.tx.jobs.add(asynchronousKind, job as unknown as Json))
      await untilIdle(server)
      assert.equal((await bench.readProperties(uid))['dc:title'], 'changed since')
    })

    test('fails when its caller is gone meanwhile', async () => {
      const path = await resultOf('Specimen.Echo', { input: 'x' })
      const executionId = path.split('/').at(-1) ?? ''
      await server.asSystem(async ({ tx, now }) => {
        await addExecution(tx.transient, { id: executionId, username: 'gone', state: { kind: 'running' } }, now)
        const job = { executionId, id: 'Log', username: 'gone', params: {}, context: {}, input: { kind: 'nothing' } }
        await tx.jobs.add(asynchronousKind, { ...job, baseUrl: '', headers: {}, staged: { blobs: [], texts: [] } })
      })
      await untilIdle(server)
      const { status, body } = await read(path)
      assert.deepEqual([status, body.message], [403, 'There is no user gone any more, for whom the operation was to run.'])
    })

    test('fails when its job is given up, as one during which the process always dies', async () => {
      const path = await resultOf('Specimen.Echo', { input: 'x' })
      const executionId = path.split('/').at(-1) ?? ''
      await server.asSystem(({ tx, now }) =>
        addExecution(tx.transient, { id: executionId, username: 'Administrator', state: { kind: 'running' } }, now),
      )
      const { services } = server
      await asynchronousCalls(services).tellParked?.({ executionId, headers: {} }, homeOf(services.repositories))
      assert.equal((await read(`${path}/status`)).status, 303)
      const { status, body } = await read(path)
      assert.deepEqual([status, body.message], [500, 'Internal Server Error'])
    })

    test('uses files of a batch that is dropped when it was accepted', async () => {
      const batch = await beginBatch(server)
      await batch.send(0, 'content', { 'X-File-Name': 'a.txt' })
      const { uid } = await bench.create('File', {})
      const file = { 'upload-batch': batch.id, 'upload-fileId': '0' }
      const path = await submit('Document.Update', { input: uid, params: { properties: { 'file:content': file } } })
      assert.equal((await batch.get()).status, 404)
      while ((await read(path)).status !== 303) await wait(20)
      assert.equal((await bench.readProperties(uid))['file:content'].name, 'a.txt')
    })

    test('takes files of a form', async () => {
      const form = new FormData()
      form.set('params', new Blob(['{}'], { type: 'application/json' }))
      form.set('input', new Blob(['bytes'], { type: 'text/plain' }), 'a.txt')
      const answer = await download(server, 'api/v1/automation/Specimen.Echo/@async', { method: 'POST', body: form })
      const status = await read(new URL(answer.headers.get('location') ?? '').pathname.slice(1))
      const made = await download(server, new URL(status.headers.get('location') ?? '').pathname.slice(1))
      assert.equal(made.text, 'bytes')
    })
  },
  { plugins: [specimenOperations], settings: { automationAsyncStateWait: '1s' } },
)

onEachServer(
  '1.11 a result',
  (server) => {
    test('is gone some time after it was read, and not before', async () => {
      const submitted = await server.as('Administrator').post('/automation/Specimen.Echo/@async', { input: 'x' })
      const state = new URL(submitted.headers.get('location') ?? '').pathname.slice(1)
      const path = state.replace(/\/status$/, '')
      assert.equal((await server.as('Administrator').call('GET', state)).status, 303)
      await wait(1_200)
      assert.equal((await server.as('Administrator').call('GET', path)).status, 200)
      assert.equal((await server.as('Administrator').call('GET', path)).status, 200)
      await wait(1_200)
      assert.equal((await server.as('Administrator').call('GET', path)).status, 404)
    })
  },
  { plugins: [specimenOperations], settings: { automationAsyncResultTtl: '1h', automationAsyncReadResultTtl: '1s' } },
)
