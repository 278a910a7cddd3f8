import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { defineChain } from '../../src/automation/chain.ts'
import { flowPlugin } from '../support/flow-plugin.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn, workspaces } from '../support/workbench.ts'

const chains = [
  defineChain({
    id: 'goOnRegardless',
    steps: [{ operation: 'RunOperationOnList' }],
    catches: [{ chain: 'afterAll' }],
  }),
  defineChain({ id: 'afterAll', steps: [{ operation: 'Flow.Make', params: { name: 'afterAll' } }] }),
]

/** Runs the body and gives, beside what it gave, the longest time for which nothing else had its turn. */
async function watched<Result>(body: () => Promise<Result>): Promise<{ readonly given: Result; readonly heldMillis: number }> {
  let [last, heldMillis] = [performance.now(), 0]
  const look = () => {
    heldMillis = Math.max(heldMillis, performance.now() - last - 5)
    last = performance.now()
  }
  const timer = setInterval(look, 5)
  try {
    const given = await body()
    look()
    return { given, heldMillis }
  } finally {
    clearInterval(timer)
  }
}

// The promise is 250 ms; a machine that runs other tests beside this one is given some more.
const patienceMillis = 1_000

onEachServer(
  'a greedy call',
  (server) => {
    const bench = workbenchOn(server)
    let note: Answered

    before(async () => {
      await server.addUser('greedy', ['members'])
      note = await bench.create('Note', { 'dc:title': 'n' })
    })

    const call = (id: string, body: object) => watched(() => operationsOn(server, 'greedy')(id, body))
    const filter = (condition: string, count = 1) =>
      call('Document.Filter', { input: `docs:${Array.from({ length: count }, () => note.uid).join(',')}`, params: { condition } })
    const doubling = (written: string, times: number) => {
      let text = written
      for (let index = 0; index < times; index++) text = `[${text}].get(0)`
      return text
    }

    test('that doubles a list in a condition is refused', async () => {
      const puts = Array.from({ length: 24 }, () => 'Context.put("l", Context.l + Context.l)').map((put) => `${put}.size() > 0`)
      const { given, heldMillis } = await filter(`Context.put("l", [1]).size() > 0 && ${puts.join(' && ')}`)
      assert.equal(given.status, 400, given.text.slice(0, 500))
      assert.match(given.body.message, /larger than \d+ bytes|more than the \d+ bytes/)
      assert.ok(heldMillis < patienceMillis, `${heldMillis} ms`)
    })

    test('that compares what is nested in itself is refused', async () => {
      const puts = Array.from({ length: 24 }, () => 'Context.put("l", [Context.l, Context.l]).size() > 0')
      const { given, heldMillis } = await filter(
        `Context.put("l", [1]).size() > 0 && ${puts.join(' && ')} && Context.l == Context.l`,
      )
      assert.equal(given.status, 400, given.text.slice(0, 500))
      assert.ok(heldMillis < patienceMillis, `${heldMillis} ms`)
    })

    test('that nests a value a little more for each document is refused', async () => {
      const { given } = await filter(`Context.put("l", [Context.l]).size() > 0`, 300)
      assert.equal(given.status, 400, given.text.slice(0, 500))
      assert.match(given.body.message, /nested more than 100 deep/)
    })

    test('whose conditions are many and modest is answered', async () => {
      const { given } = await filter(`${doubling('Document.title', 20)} == "n"`, 100)
      assert.equal(given.status, 200, given.text.slice(0, 500))
      assert.equal(given.body.entries.length, 100)
    })

    const onList = (inner: object) => ({
      id: 'RunOperationOnList',
      list: 'l',
      timeout: 1_000_000,
      newTx: true,
      parameters: inner,
    })
    const leaf = { id: 'Context.SetVar', list: 'l', parameters: { name: 'x', value: 1 } }
    const nested = onList(onList(onList(leaf)))
    const context = { l: Array.from({ length: 40 }, (_, index) => index) }

    test('that nests loops ends by the bounds of the server, whatever time it gives itself, and others go on meanwhile', async () => {
      const { id: _, ...params } = onList(nested)
      const pings: number[] = []
      const answer = call('RunOperationOnList', { params: { ...params, id: 'RunOperationOnList' }, context })
      let isOver = false
      const asking = (async () => {
        while (!isOver) {
          const begun = performance.now()
          assert.equal((await server.as('Administrator').get(`/id/${note.uid}`)).status, 200)
          pings.push(performance.now() - begun)
        }
      })()
      const { given, heldMillis } = await answer
      isOver = true
      await asking
      assert.ok(given.status === 400 || given.status === 503, given.text)
      assert.match(given.body.message, /that one call may take, with all that it runs/)
      assert.ok(heldMillis < patienceMillis, `${heldMillis} ms`)
      assert.ok(Math.max(...pings) < 3 * patienceMillis, `${Math.max(...pings)} ms`)
    })

    test('is not gone on with by those who mind no failure', async () => {
      const params = { ...onList(nested), id: 'RunOperationOnList', rollbackGlobalOnError: false }
      const { given } = await call('RunOperationOnList', { params, context })
      assert.ok(given.status === 400 || given.status === 503, given.text)
      const caught = await call('goOnRegardless', { params, context })
      assert.ok(caught.given.status === 400 || caught.given.status === 503, caught.given.text)
      assert.equal((await server.as('Administrator').get(`/path${workspaces}/afterAll`)).status, 404)
    })

    test('that sends a list with nothing but escaped quotes is refused in no time', async () => {
      const { given, heldMillis } = await call('Document.Filter', {
        input: `docs:${note.uid}`,
        params: { types: `[{"${'\\"'.repeat(80_000)}`, condition: 'true' },
      })
      assert.ok(given.status < 500, given.text)
      const { given: second, heldMillis: alsoHeld } = await call('Document.SetBlobName', {
        params: { name: `[{"data${'\\"'.repeat(80_000)}` },
      })
      assert.ok(second.status < 500, second.text)
      assert.ok(Math.max(heldMillis, alsoHeld) < patienceMillis)
    })
  },
  { plugins: [flowPlugin(...chains)], settings: { automationMaxTime: '4s', automationMaxSteps: 20_000 } },
)
