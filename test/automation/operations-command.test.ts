import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runCommandLine } from '../../src/cli/command/run-command-line.ts'
import { program } from '../../src/cli/program.ts'

describe('quire operations', () => {
  let directory = ''
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'quire-operations-'))
  })
  after(() => rm(directory, { recursive: true }))

  async function run(...args: readonly string[]) {
    const [printed, complained]: [string[], string[]] = [[], []]
    const code = await runCommandLine(['operations', ...args], program, {
      environment: {},
      directory,
      print: (text) => printed.push(text),
      complain: (text) => complained.push(text),
      readSecret: async () => undefined,
    })
    return { code, printed: printed.join('\n'), complained: complained.join('\n') }
  }

  test('lists all that clients can call, and what each does', async () => {
    const { code, printed } = await run()
    assert.equal(code, 0)
    assert.match(printed, /^OPERATION +CATEGORY +WHAT IT DOES$/m)
    assert.match(printed, /^Document\.Update +Document +Sets properties of the document\.$/m)
  })

  test('tells all about one, under its id or an alias', async () => {
    for (const id of ['Repository.GetDocument', 'Document.Fetch']) {
      const { code, printed } = await run(id)
      assert.equal(code, 0)
      assert.match(printed, /^Repository\.GetDocument \(Fetch\)$/m)
      assert.match(printed, /^Also called Document\.Fetch\.$/m)
      assert.match(printed, /^ {2}void → document$/m)
      assert.match(printed, /^value +document +required +An id, a path, or repository:id$/m)
    }
  })

  test('prints JSON for scripts', async () => {
    const all = JSON.parse((await run('--json')).printed)
    assert.ok(all.some(({ id }: { id: string }) => id === 'Document.Update'))
    assert.equal(JSON.parse((await run('Log', '--json')).printed).category, 'Notification')
  })

  test('prints a page for documentation', async () => {
    const { printed } = await run('--markdown')
    assert.match(printed, /^# Operations$/m)
    assert.match(printed, /^\| `Document\.Update` \| document → document<br>documents → documents \| `properties`\* properties/m)
  })

  test('fails when there is none of that name', async () => {
    const { code, complained } = await run('Noop')
    assert.equal(code, 1)
    assert.match(complained, /There is no operation or chain Noop/)
  })
})
