import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { usualCallLimits } from '../../../test/support/call-limits.ts'
import { Problem } from '../../base/problem.ts'
import { utc } from '../../nxql/time-zone.ts'
import { CallBudget, callTakesTooMuch } from '../budget.ts'
import type { OperationContext } from '../context.ts'
import { jsonOfValue, valueOfJson } from '../values/read-sent-properties.ts'
import type { Value } from '../values/value.ts'
import { isConditionMet } from './evaluate-condition.ts'
import { evaluateTemplate } from './evaluate-template.ts'
import { expressionWrong } from './expression-wrong.ts'
import { runScript } from './run-script.ts'

/** A user asks, with some variables, at a known time. */
function contextWith(variables: { readonly [name: string]: Value } = {}): OperationContext {
  return {
    session: {
      now: '2031-01-31T10:20:30.456Z',
      principal: { name: 'jane', groups: ['members'], isAdministrator: false },
      repository: { name: 'default', searchRules: { query: { timeZone: utc } } },
    },
    input: { kind: 'string', text: 'the input' },
    variables: new Map(Object.entries(variables)),
    budget: new CallBudget(usualCallLimits),
    callParameters: new Map([['p', { kind: 'number', number: 7 }]]),
    services: { vendored: (neutral: string) => neutral, principals: { findUser: async () => undefined } },
    host: { baseUrl: 'http://host/quire/' },
  } as unknown as OperationContext
}

const evaluated = async (expression: string, variables = {}) =>
  jsonOfValue(await evaluateTemplate(contextWith(variables), `expr:${expression}`))

const known = {
  x: valueOfJson(5),
  name: valueOfJson('Jane'),
  list: valueOfJson(['a', 'b']),
  map: valueOfJson({ inner: { a: 1 }, 'odd name': 2 }),
  absent: valueOfJson(null),
  yes: valueOfJson('true'),
}

describe('an expression gives', () => {
  const rows: [expression: string, value: unknown][] = [
    ['1 + 2', 3],
    ['7 / 2', 3.5],
    ['6 / 2', 3],
    ['7 % 4', 3],
    ['-x', -5],
    ['1000000000000000001 + 1', 1000000000000000002n],
    ['1000000000000000002 / 2', 500000000000000001n],
    ['0.5 + 1', 1.5],
    ['"a" + 1 + true', 'a1true'],
    ['"a" + absent', 'a'],
    ['list + "c"', ['a', 'b', 'c']],
    ['list + ["c", "d"]', ['a', 'b', 'c', 'd']],
    ['1 < 2 && "a" < "b"', true],
    ['1 == "1"', true],
    ['absent == null', true],
    ['"" == null', false],
    ['"" == empty && [] == empty && absent == empty && [:] == empty', true],
    ['"x" != empty', true],
    ['list == ["a", "b"]', true],
    ['list == ["b", "a"]', false],
    ['x > 3 ? "big" : "small"', 'big'],
    ['!yes', false],
    ['false && nowhere', false],
    ['true || nowhere', true],
    ['map.inner.a', 1],
    ['map["odd name"]', 2],
    ['map.missing', null],
    ['list[1]', 'b'],
    ['list[9]', null],
    ['list.size() + list.size', 4],
    ['list.contains("a")', true],
    ['name.toUpperCase().substring(0, 2)', 'JA'],
    ['name.length() == 4 && name.contains("an")', true],
    ['"a.b".replace(".", "$&")', 'a$&b'],
    ['"a,b".split(",")', ['a', 'b']],
    ['Context["x"]', 5],
    ['Context.get("nowhere")', null],
    ['ChainParameters["p"] + ChainParameters.p', 14],
    ['This', 'the input'],
    ['CurrentUser.name + CurrentUser.getName()', 'janejane'],
    ['CurrentUser.groups', ['members']],
    ['CurrentDate.year', 2031],
    ['CurrentDate.month', 0],
    ['CurrentDate.day + "." + CurrentDate.hour + "." + CurrentDate.minute + "." + CurrentDate.second', '31.10.20.30'],
    ['CurrentDate.week', 5],
    ['CurrentDate.time', Date.parse('2031-01-31T10:20:30.456Z')],
    ['CurrentDate', '2031-01-31T10:20:30.456Z'],
    ['CurrentDate.months(1).date', '2031-02-28T10:20:30.456Z'],
    ['CurrentDate.years(-1).days(1).weeks(1).seconds(30).date', '2030-02-08T10:21:00.456Z'],
    ['CurrentDate.format("dd/MM/yyyy")', '31/01/2031'],
    ['CurrentDate.days(1) > CurrentDate', true],
    ['Session.repositoryName', 'default'],
    ['Env["platform.url"]', 'http://host/quire'],
    ['Env["PATH"]', null],
    ['Fn.htmlEscape("<a href=\'x\'>")', '&lt;a href=&#39;x&#39;&gt;'],
    ['Fn.nxqlEscape("it\'s")', "'it\\'s'"],
    ['Fn.concatenateIntoList(list, "c", ["d"])', ['a', 'b', 'c', 'd']],
    ['Fn.concatenateValuesAsNewList("a", null, list)', ['a', 'a', 'b']],
    ['Fn.date(CurrentDate.date).year', 2031],
  ]
  for (const [expression, value] of rows) {
    test(`${JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one))} for ${expression}`, async () =>
      assert.deepEqual(await evaluated(expression, known), value))
  }
})

describe('a template gives a text', () => {
  const rows: [template: string, text: string][] = [
    ['Hello @{name}, you are @{x}', 'Hello Jane, you are 5'],
    ['@{x}', '5'],
    ['@{absent}', ''],
    ['@{list}', 'a,b'],
    [
      'SELECT * FROM Document WHERE dc:created > @{CurrentDate.days(-1)}',
      "SELECT * FROM Document WHERE dc:created > TIMESTAMP '2031-01-30 10:20:30.456'",
    ],
    ['', ''],
  ]
  for (const [template, text] of rows) {
    test(JSON.stringify(template), async () =>
      assert.deepEqual(await evaluateTemplate(contextWith(known), `expr:${template}`), { kind: 'string', text }),
    )
  }
})

describe('an expression is refused', () => {
  const rows: [expression: string, reason: RegExp][] = [
    ['nowhere', /there is no nowhere/],
    ['1 / 0', /divided by zero/],
    ['9223372036854775807 + 1', /too large/],
    ['1e308 * 10', /too large/],
    ['"a" * 2', /needs numbers/],
    ['null + 1', /needs numbers/],
    ['1 < "a"', /cannot be compared/],
    ['5 && true', /neither true nor false/],
    ['null.x', /nothing has no x/],
    ['name.constructor', /string has no constructor/],
    ['name.toString.constructor', /string has no toString/],
    ['map.constructor.name', /nothing has no name/],
    ['map.__proto__.x', /nothing has no x/],
    ['name.charCodeAt(0)', /string cannot charCodeAt/],
    ['list.map(1)', /list cannot map/],
    ['Fn.constructor', /Fn has no constructor/],
    ['Fn.constructor("x")', /Fn cannot constructor/],
    ['Fn.toString()', /Fn cannot toString/],
    ['Context.constructor()', /Context cannot constructor/],
    ['CurrentUser.password', /a user has no password/],
    ['process', /there is no process/],
    ['globalThis', /there is no globalThis/],
    ['HTTP.get("http://example.test")', /there is no HTTP/],
    ['CurrentDate.format("Q")', /letter Q/],
    ['CurrentDate.years(100000)', /years 0 to 9999/],
    ['name.substring("a")', /cannot substring/],
    ['Fn.getNextId()', /cannot getNextId/],
  ]
  for (const [expression, reason] of rows) {
    test(expression, async () => {
      await assert.rejects(evaluated(expression, known), (error) => expressionWrong.is(error) && reason.test(error.message))
    })
  }

  test('that takes too many steps', async () => {
    const wide = `[${Array.from({ length: 6_000 }, () => '1').join(',')}]`
    await assert.rejects(evaluated(wide), /more than 5000 steps/)
  })

  const times = (count: number, statement: string) => Array.from({ length: count }, () => statement).join(';')
  const many = (count: number, argument: string) => Array.from({ length: count }, () => argument).join(',')
  const listOf = (length: number) => valueOfJson(Array.from({ length }, () => 'x'))
  const large = { big: listOf(50_000), huge: listOf(100_000), long: valueOfJson('a'.repeat(1_000_000)) }
  const scripts: [what: string, script: string, reason: RegExp][] = [
    ['makes a text too long', `s = "xxxxxxxxxx"; ${times(30, 's = s + s')}`, /larger than \d+ bytes/],
    ['doubles a list', `l = [1]; ${times(40, 'l = l + l')}`, /larger than \d+ bytes/],
    ['has a list twice in a list, over and over', `l = [1]; ${times(40, 'l = [l, l]')}`, /larger than \d+ bytes/],
    ['has a map twice in a map, over and over', `m = [:]; ${times(40, 'm = ["a": m, "b": m]')}`, /larger than \d+ bytes/],
    ['nests a list in itself', `l = [1]; ${times(150, 'l = [l]')}`, /more than 100 deep/],
    ['looks at what is too large', 'x = huge.size()', /larger than \d+ bytes/],
    ['puts many lists together', `Fn.concatenateIntoList(${many(20, 'big')})`, /more than \d+ items/],
    ['splits a text into too many', 'long.split("")', /more than \d+ items/],
    ['replaces each letter by many', `long.replace("a", "${'b'.repeat(100)}")`, /larger than \d+ bytes/],
    ['looks for a long text backwards', 'long.lastIndexOf(long + "b")', /too long to look for/],
    ['writes a date in a long pattern', 'CurrentDate.format(long)', /pattern of a date/],
  ]
  for (const [what, script, reason] of scripts) {
    test(`that ${what}`, async () => {
      await assert.rejects(
        runScript(contextWith(large), script),
        (error: Error) => expressionWrong.is(error) && reason.test(error.message),
      )
    })
  }

  const costly: [what: string, script: string][] = [
    ['compares large lists', times(2_000, 'big == big')],
    ['looks for a large list in a large list', times(50, '(big + [1]).contains(big)')],
    ['keeps much', Array.from({ length: 200 }, (_, index) => `v${index} = long + ${index}`).join(';')],
    ['writes lists', times(1_000, '"" + big')],
    ['asks for all variables', `x = [${many(2_000, 'Context')}]`],
  ]
  for (const [what, script] of costly) {
    test(`that ${what} too often, by the bounds of the call`, async () => {
      const begun = performance.now()
      const refused = (error: Error) => callTakesTooMuch.is(error) || expressionWrong.is(error)
      await assert.rejects(runScript(contextWith(large), script), refused)
      assert.ok(performance.now() - begun < 5_000)
    })
  }
})

test('no expression does anything but give a value or be refused', async () => {
  const atoms = fc.constantFrom(
    'x',
    'name',
    'list',
    'map',
    'absent',
    '1',
    '"a"',
    'null',
    'true',
    'CurrentDate',
    'CurrentUser',
    'Fn',
    'Context',
  )
  const members = fc.constantFrom(
    'size',
    'length',
    'name',
    'constructor',
    '__proto__',
    'get',
    'contains',
    'days',
    'year',
    'toString',
  )
  const expression = fc.letrec<{ any: string }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      atoms,
      fc.tuple(tie('any'), members).map(([of, name]) => `${of}.${name}`),
      fc.tuple(tie('any'), members, tie('any')).map(([of, name, given]) => `${of}.${name}(${given})`),
      fc.tuple(tie('any'), tie('any')).map(([of, key]) => `${of}[${key}]`),
      fc
        .tuple(tie('any'), fc.constantFrom('+', '-', '*', '/', '==', '<', '&&'), tie('any'))
        .map((parts) => `(${parts.join(' ')})`),
    ),
  })).any
  await fc.assert(
    fc.asyncProperty(expression, async (text) => {
      try {
        await evaluateTemplate(contextWith(known), `expr:${text}`)
      } catch (error) {
        assert.ok(error instanceof Problem, `${text}: ${String(error)}`)
      }
    }),
  )
})

describe('a condition', () => {
  test('holds when it is true, or says so', async () => {
    for (const condition of ['x == 5', 'expr:x == 5', 'yes', 'expr:@{x == 5}']) {
      assert.equal(await isConditionMet(contextWith(known), condition), true, condition)
    }
  })

  test('does not hold for nothing, an empty text, or false', async () => {
    for (const condition of ['absent', '""', 'x > 5', 'expr:']) {
      assert.equal(await isConditionMet(contextWith(known), condition), false, condition)
    }
  })

  test('must be true or false', async () => {
    await assert.rejects(isConditionMet(contextWith(known), 'x'), expressionWrong.is)
  })

  test('sees names that are meant for it alone, but none takes the place of a built-in one', async () => {
    const bindings = new Map([
      ['Exception', valueOfJson('documentNotFound')],
      ['CurrentUser', valueOfJson('nobody')],
    ])
    const condition = 'Exception == "documentNotFound" && CurrentUser.name == "jane"'
    assert.equal(await isConditionMet(contextWith({ CurrentUser: valueOfJson('eve') }), condition, bindings), true)
  })
})

describe('a script', () => {
  test('gives what its last statement gives, and sets variables of the call', async () => {
    const around = contextWith({ x: valueOfJson(5) })
    assert.deepEqual(await runScript(around, 'a = x * 2; Context["y"] = a + 1; Context.put("z", "new"); a'), valueOfJson(10))
    assert.deepEqual(around.variables.get('y'), valueOfJson(11))
    assert.deepEqual(around.variables.get('z'), valueOfJson('new'))
    assert.equal(around.variables.has('a'), false)
  })

  test('sets entries of maps that variables hold, each in a map of its own', async () => {
    const around = contextWith(known)
    const before = around.variables.get('map')
    await runScript(around, 'map["inner"] = 1')
    const after = around.variables.get('map')
    assert.deepEqual(after?.kind === 'map' && after.members['inner'], valueOfJson(1))
    assert.notEqual(after, before)
  })

  test('sets items of nothing else', async () => {
    await assert.rejects(runScript(contextWith(known), 'list["inner"] = 1'), /only items of Context/)
    await assert.rejects(runScript(contextWith(known), 'map.inner["x"] = 1'), /only items of Context/)
  })
})

// Retention rules, workflows, filters and catch chains ask by the first, templates and restored inputs by the second.
describe('HTTP is no name', () => {
  const said = 'HTTP.get("https://a.example/") != null'
  test('in conditions', async () => {
    await assert.rejects(isConditionMet(contextWith(), said), /there is no HTTP/)
    await assert.rejects(isConditionMet(contextWith(), said, new Map([['other', known.x]])), /there is no HTTP/)
  })
  test('in what is evaluated apart from the steps of chains', async () => {
    await assert.rejects(evaluateTemplate(contextWith(), `expr:${said}`), /there is no HTTP/)
    await assert.rejects(evaluateTemplate(contextWith(), `expr:@{${said}}`), /there is no HTTP/)
  })
  test('for what a script could keep of it', async () => {
    await assert.rejects(runScript(contextWith(), 'other = HTTP; other.get("https://a.example/")'), /cannot get/)
    await assert.rejects(runScript(contextWith(), 'Context["kept"] = HTTP; kept.get("https://a.example/")'), /cannot get/)
  })
})
