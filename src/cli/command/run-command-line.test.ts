import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import packageJson from '../../../package.json' with { type: 'json' }
import { defineProblem } from '../../base/problem.ts'
import { type Commands, defineCommand, exitCodes } from '../../command/command.ts'
import { serverSettings } from '../../settings/server-settings.ts'
import { runCommandLine } from './run-command-line.ts'

const outOfPaper = defineProblem('outOfPaper', 'unavailable', () => 'the printer\nis out of paper')

const commands: Commands = {
  show: async () =>
    defineCommand({
      name: 'show',
      summary: 'show the port',
      settings: [serverSettings],
      run: async ({ settings, print }) => {
        print(String(settings.port))
        return exitCodes.done
      },
    }),
  shelf: async () => ({
    kind: 'family',
    name: 'shelf',
    summary: 'look after shelves',
    commands: {
      put: async () =>
        defineCommand({
          name: 'shelf put',
          summary: 'put books on a shelf',
          settings: [serverSettings],
          options: { loudly: { type: 'boolean', default: false, help: 'Make a noise' } },
          operands: { shelf: { help: 'Shelf' }, books: { help: 'Books', count: 'many' } },
          run: async ({ settings, options, operands, print }) => {
            print(`${operands.books.join('+')} on ${operands.shelf} at ${settings.port}${options.loudly ? '!' : ''}`)
            return exitCodes.done
          },
        }),
    },
  }),
  fail: async () => aFailing(outOfPaper({})),
  stumble: async () => aFailing(new TypeError('x is undefined')),
  refuse: async () => aFailing(Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { syscall: 'connect' })),
}

function aFailing(error: Error) {
  return defineCommand({ name: 'fail', summary: 'fail', settings: [serverSettings], run: () => Promise.reject(error) })
}

const openServices = () => Promise.reject(new Error('no command here opens any data'))

async function run(...argv: string[]) {
  const printed: string[] = []
  const complained: string[] = []
  const code = await runCommandLine(
    argv,
    { commands, settings: [serverSettings], openServices },
    {
      environment: { QUIRE_PORT: '9090' },
      directory: import.meta.dirname,
      print: (text) => printed.push(text),
      complain: (text) => complained.push(text),
      readSecret: async () => undefined,
    },
  )
  return { code, printed: printed.join('\n'), complained: complained.join('\n') }
}

describe('the command line', () => {
  test('runs a command with the settings it declares', async () => {
    assert.deepEqual(await run('show'), { code: 0, printed: '9090', complained: '' })
    assert.deepEqual(await run('show', '--port=81'), { code: 0, printed: '81', complained: '' })
  })

  test('answers an unknown command with one line and code 2', async () => {
    const complained = 'quire: there is no command "shwo" (did you mean show?); quire help lists them all'
    assert.deepEqual(await run('shwo'), { code: 2, printed: '', complained })
    assert.equal((await run('toString')).code, 2)
    assert.equal((await run('help', 'shwo')).code, 2)
  })

  test('answers a wrong setting with one line and code 2', async () => {
    const complained = 'quire: --port is "x" but must be a whole number from 0 to 65535'
    assert.deepEqual(await run('show', '--port', 'x'), { code: 2, printed: '', complained })
  })

  test('answers a wrong configuration file with code 2', async () => {
    const { code, complained } = await run('show', '--config', 'absent.ts')
    assert.equal(code, 2)
    assert.match(complained, /^quire: configuration file .*absent\.ts: there is no such file$/)
  })

  test('answers a problem with one line and code 1', async () => {
    assert.deepEqual(await run('fail'), { code: 1, printed: '', complained: 'quire: the printer is out of paper' })
  })

  test('answers a refusal of the system with one line and code 1', async () => {
    assert.deepEqual(await run('refuse'), { code: 1, printed: '', complained: 'quire: connect ECONNREFUSED 127.0.0.1:5432' })
  })

  test('shows where an unforeseen error happened', async () => {
    const { code, complained } = await run('stumble')
    assert.equal(code, 1)
    assert.match(complained, /^quire: unexpected TypeError: x is undefined\n\s+at /)
  })

  test('prints the version', async () => {
    assert.deepEqual(await run('--version'), { code: 0, printed: packageJson.version, complained: '' })
  })

  for (const argv of [[], ['help'], ['--help'], ['-h']]) {
    test(`lists the commands for "quire ${argv.join(' ')}"`, async () => {
      const { code, printed } = await run(...argv)
      assert.equal(code, 0)
      assert.match(printed, /^ +show +show the port$/m)
    })
  }

  for (const argv of [
    ['show', '--help'],
    ['show', '--port', 'x', '-h'],
    ['help', 'show'],
  ]) {
    test(`lists the settings for "quire ${argv.join(' ')}"`, async () => {
      const { code, printed } = await run(...argv)
      assert.equal(code, 0)
      assert.match(printed, /^quire show: show the port$/m)
      assert.match(printed, /--port <number>/)
    })
  }
})

describe('a family of commands', () => {
  test('runs the command that is named behind it, with its options and operands', async () => {
    const done = (printed: string) => ({ code: 0, printed, complained: '' })
    assert.deepEqual(await run('shelf', 'put', 'top', 'a', 'b'), done('a+b on top at 9090'))
    assert.deepEqual(await run('shelf', 'put', '--loudly', 'top', 'a', '--port=1'), done('a on top at 1!'))
  })
  test('answers a missing operand with one line and code 2', async () => {
    const complained = 'quire: <books> is missing; usage: quire shelf put <shelf> <books…> [--flag value …]'
    assert.deepEqual(await run('shelf', 'put', 'top'), { code: 2, printed: '', complained })
  })
  test('answers an unknown command in it with one line and code 2', async () => {
    const complained = 'quire: there is no command "shelf putt" (did you mean shelf put?); quire help shelf lists them all'
    assert.deepEqual(await run('shelf', 'putt', 'top'), { code: 2, printed: '', complained })
    assert.equal((await run('shelf', '--port', '1', 'put')).code, 2)
  })
  for (const argv of [['shelf'], ['shelf', '--help'], ['shelf', '-h'], ['shelf', 'help'], ['help', 'shelf']]) {
    test(`lists its commands for "quire ${argv.join(' ')}"`, async () => {
      const { code, printed } = await run(...argv)
      assert.equal(code, 0)
      assert.match(printed, /^quire shelf: look after shelves$/m)
      assert.match(printed, /^ {2}shelf put {2}put books on a shelf$/m)
    })
  }
  for (const argv of [
    ['shelf', 'put', '--help'],
    ['shelf', 'put', 'top', '-h'],
    ['help', 'shelf', 'put'],
  ]) {
    test(`shows what the command takes for "quire ${argv.join(' ')}"`, async () => {
      const { code, printed } = await run(...argv)
      assert.equal(code, 0)
      assert.match(printed, /^Usage: quire shelf put <shelf> <books…> \[--flag value …\]$/m)
    })
  }
  test('is listed with the other commands', async () => {
    assert.match((await run('help')).printed, /^ {2}shelf +look after shelves$/m)
  })
})
