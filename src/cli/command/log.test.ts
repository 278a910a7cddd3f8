import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLog } from './log.ts'

function aLog(level: Parameters<typeof createLog>[0], isTTY = false, hasColors = false) {
  const lines: string[] = []
  return { log: createLog(level, { isTTY, hasColors: () => hasColors, write: (line) => lines.push(line) }), lines }
}

const parked = { event: 'job.parked', job: 17, err: new Error('no such font') }

describe('the log', () => {
  test('writes each fact as a line of JSON with its fields and error', () => {
    const { log, lines } = aLog('info')
    log.warn(parked, 'job parked')
    const { time, err, ...line } = JSON.parse(lines.join(''))
    assert.deepEqual(line, { level: 'warn', pid: process.pid, event: 'job.parked', job: 17, msg: 'job parked' })
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(err.message, 'no such font')
    assert.ok(lines[0]?.endsWith('}\n'))
  })

  test('writes a line for people on a terminal, with the stack of an error', () => {
    const { log, lines } = aLog('info', true)
    log.warn(parked, 'job parked')
    assert.match(lines.join(''), /^[\d:.]{12} warn {2}job parked job=17 \(job\.parked\)\nError: no such font\n +at /)
  })

  test('tells people the time of their own clock, and nothing that only puts lines together', () => {
    const { log, lines } = aLog('info', true)
    const before = new Date()
    log.info({ event: 'http.request', requestId: 'a-b-c', status: 404 }, 'request refused')
    const [, hours, minutes] =
      /^(\d\d):(\d\d):\d\d\.\d{3} info {2}request refused status=404 \(http\.request\)\n$/.exec(lines.join('')) ??
      assert.fail(lines.join(''))
    const minute = Number(hours) * 60 + Number(minutes)
    assert.ok([0, 1, 1 - 1440].includes(minute - before.getHours() * 60 - before.getMinutes()))
  })

  test('has the level in colour where the terminal shows colours', () => {
    const { log, lines } = aLog('debug', true, true)
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]({ event: 'test' }, 'sentence')
    const levels = lines.map((line) => line.slice(line.indexOf(' ') + 1, line.indexOf(' sentence')))
    assert.deepEqual(levels, [
      '\u001b[2mdebug\u001b[22m',
      '\u001b[32minfo \u001b[39m',
      '\u001b[33mwarn \u001b[39m',
      '\u001b[31merror\u001b[39m',
    ])
  })

  test('shows what would move the cursor of a terminal as a sign, so that no client writes lines of its own', () => {
    const { log, lines } = aLog('info', true)
    log.info({ event: 'login.failed', user: 'x\n10:11:12.345 info  all is well\u001b[2J\u009b1A' }, 'login failed')
    log.error({ event: 'job.failed', err: new Error('no \u001b[31mfont') }, 'job failed')
    assert.match(
      lines[0] ?? '',
      /login failed user=x\ufffd10:11:12\.345 info {2}all is well\ufffd\[2J\ufffd1A \(login\.failed\)\n$/,
    )
    assert.match(lines[1] ?? '', /\nError: no \ufffd\[31mfont\n +at /)
  })

  for (const [level, written] of [
    ['silent', []],
    ['error', ['error']],
    ['warn', ['warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['debug', ['debug', 'info', 'warn', 'error']],
  ] as const) {
    test(`writes ${written.join(', ') || 'nothing'} at level ${level}`, () => {
      const { log, lines } = aLog(level)
      for (const severity of ['debug', 'info', 'warn', 'error'] as const) log[severity]({ event: 'test' }, 'sentence')
      assert.deepEqual(
        lines.map((line) => JSON.parse(line).level),
        written,
      )
    })
  }
})
