import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { specimenOperations } from '../support/specimen-operations.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer(
  'acceptance 23: a bulk action that is started asynchronously',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    const admin = () => server.as('Administrator')

    async function aFolder(size: number) {
      const folder = await bench.create('Folder', {})
      for (let index = 0; index < size; index++) await bench.create('Note', {}, { parent: folder.path })
      return folder.uid as string
    }

    const command = (folder: string, operation: object, action = 'automation') => ({
      params: {
        action,
        query: `SELECT * FROM Note WHERE ecm:parentId = '${folder}'`,
        parameters: JSON.stringify(operation),
      },
    })

    async function submit(body: object): Promise<string> {
      const { status, headers } = await admin().post('/automation/Bulk.RunAction/@async', body)
      assert.equal(status, 202)
      return new URL(headers.get('location') ?? '').pathname.slice(1)
    }

    test('changes all, and its state is that of the command until it is over', async () => {
      const folder = await aFolder(3)
      const operation = { operationId: 'Specimen.WaitWith', parameters: { name: 'bulk' } }
      const path = await submit(command(folder, operation))
      let state = await admin().call('GET', path)
      // On a busy machine the call that submits the command may take longer than a look waits for it.
      while (state.body.value === 'RUNNING') state = await admin().call('GET', path)
      assert.equal(state.status, 200)
      assert.equal(state.body['entity-type'], 'bulkStatus')
      assert.deepEqual(
        [state.body.value['entity-type'], state.body.value.action, state.body.value.completed],
        ['bulkStatus', 'automation', null],
      )
      const result = path.replace(/\/status$/, '')
      assert.equal((await admin().call('GET', result)).status, 404)
      await call('Specimen.Release', { params: { name: 'bulk' } })
      while ((await admin().call('GET', path)).status !== 303) await wait(20)
      const { status, body } = await admin().call('GET', result)
      assert.deepEqual([status, body.value.state, body.value.processed, body.value.errorCount], [200, 'COMPLETED', 3, 0])
      assert.equal((await admin().call('DELETE', result)).status, 404)
    })

    test('runs Document.Update on each', async () => {
      const folder = await aFolder(3)
      const operation = { operationId: 'Document.Update', parameters: { properties: { 'dc:description': 'bulk' } } }
      const path = await submit(command(folder, operation))
      while ((await admin().call('GET', path)).status !== 303) await wait(20)
      const children = await admin().get(`/id/${folder}/@children`, { properties: 'dublincore' })
      const texts = children.body.entries.map(
        (one: { properties: { [name: string]: string } }) => one.properties['dc:description'],
      )
      assert.deepEqual(texts, ['bulk', 'bulk', 'bulk'])
    })

    test('leads to the file that it has made', async () => {
      const path = await submit(command(await aFolder(2), {}, 'csvExport'))
      while ((await admin().call('GET', path)).status !== 303) await wait(20)
      const { status, headers } = await admin().call('GET', path.replace(/\/status$/, ''))
      assert.equal(status, 303)
      const file = await admin().call('GET', (headers.get('location') ?? '').replace(server.url, ''))
      assert.equal(file.status, 200)
      assert.match(file.headers.get('content-disposition') ?? '', /\.csv/)
      assert.equal(file.text.trim().split('\n').length, 3)
    })

    test('is given up by DELETE', async () => {
      const folder = await aFolder(2)
      const path = await submit(command(folder, { operationId: 'Specimen.WaitWith', parameters: { name: 'aborted' } }))
      while ((await admin().call('GET', path)).body?.['entity-type'] !== 'bulkStatus') await wait(20)
      const { status, body } = await admin().call('DELETE', path.replace(/\/status$/, ''))
      assert.deepEqual([status, body['entity-type'], body.value.state], [200, 'bulkStatus', 'ABORTED'])
      await call('Specimen.Release', { params: { name: 'aborted' } })
      assert.equal((await admin().call('GET', path)).status, 303)
    })

    test('without an operation fails with 400 and says so', async () => {
      const path = await submit(command(await aFolder(1), {}))
      while ((await admin().call('GET', path)).status !== 303) await wait(20)
      const { status, body } = await admin().call('GET', path.replace(/\/status$/, ''))
      assert.equal(status, 400)
      assert.match(body.message, /^Failed to invoke operation Bulk\.RunAction, Unknown operation id null in command:/)
    })

    test('acceptance 24: what is wrong is told at once where somebody waits for it', async () => {
      const cases: [params: object, status: number, message: RegExp][] = [
        [{}, 400, /Failed to inject parameter 'action'/],
        [{ action: 'nope', query: 'SELECT * FROM Document' }, 404, /nope/],
        [{ action: 'setProperties' }, 400, /query/],
        [{ action: 'setProperties', query: 'SELECT * FROM Document WHERE dc:title = ?' }, 400, /./],
        [{ action: 'setProperties', query: 'SELECT * FROM Document', parameters: '{' }, 400, /JSON/],
        [
          { action: 'automation', query: 'SELECT * FROM Document', parameters: '{}' },
          400,
          /Unknown operation id null in command:/,
        ],
      ]
      for (const [params, status, message] of cases) {
        const answer = await call('Bulk.RunAction', { params })
        assert.equal(answer.status, status, JSON.stringify(params))
        assert.match(answer.body.message, message)
      }
    })

    test('1.7 the answer to who waits has the status twice', async () => {
      const operation = { operationId: 'Document.Update', parameters: { properties: { 'dc:description': 'x' } } }
      const { status, body } = await call('Bulk.RunAction', command(await aFolder(1), operation))
      assert.deepEqual([status, body['entity-type'], body.value['entity-type']], [200, 'bulkStatus', 'bulkStatus'])
      assert.match(body.value.commandId, /^[0-9a-f-]{36}$/)
    })
  },
  { plugins: [specimenOperations], settings: { automationAsyncStateWait: '300ms' } },
)
