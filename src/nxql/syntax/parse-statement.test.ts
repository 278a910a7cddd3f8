import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseStatement } from './parse-statement.ts'
import type { QueryOperand, QueryPredicate } from './tree.ts'

/** The condition in parentheses that show what belongs to what. */
function shape(predicate: QueryPredicate): string {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return `(${predicate.operands.map(shape).join(` ${predicate.kind} `)})`
    case 'not':
      return `not ${shape(predicate.operand)}`
    case 'comparison':
      return `${name(predicate.left)}${predicate.operator}${name(predicate.right)}`
    default:
      return `${predicate.subject.name} ${predicate.condition.kind}`
  }
}

function name(operand: QueryOperand): string {
  if (operand.kind === 'reference' || operand.kind === 'function') return operand.name
  return 'value' in operand ? String(operand.value) : operand.kind
}

const whereOf = (where: string) => {
  const { where: predicate } = parseStatement(`SELECT * FROM Document WHERE ${where}`)
  if (predicate === undefined) throw new Error('There is a WHERE')
  return predicate
}

describe('precedence', () => {
  const rows = {
    'a = 1 OR b = 2 AND c = 3': '(a=1 or (b=2 and c=3))',
    '(a = 1 OR b = 2) AND c = 3': '((a=1 or b=2) and c=3)',
    'NOT a = 1 AND b = 2': '(not a=1 and b=2)',
    'NOT (a = 1 AND b = 2)': 'not (a=1 and b=2)',
    'NOT NOT a = 1': 'a=1',
    'NOT NOT NOT a = 1': 'not a=1',
    '(a = 1)': 'a=1',
    'a = 1 AND b = 2 AND c = 3': '(a=1 and b=2 and c=3)',
    "a BETWEEN 1 AND 2 AND b NOT IN ('x') OR NOT c IS NULL": '((a between and b in) or not c null)',
    '1 = a AND 0 = 0': '(1=a and 0=0)',
    'a + 1 * b = c - 2': 'arithmetic=arithmetic',
    'a != NOW() AND b <> f(1, g(c))': '(a<>NOW and b<>f)',
  }
  for (const [where, expected] of Object.entries(rows)) test(where, () => assert.equal(shape(whereOf(where)), expected))
})

describe('conditions', () => {
  const conditionOf = (where: string) => {
    const predicate = whereOf(where)
    return predicate.kind === 'condition' ? predicate.condition : undefined
  }
  const rows: readonly (readonly [string, object])[] = [
    ["a LIKE 'x'", { kind: 'like', pattern: 'x', ignoresCase: false, isNegated: false }],
    ["a NOT ILIKE 'x'", { kind: 'like', pattern: 'x', ignoresCase: true, isNegated: true }],
    ['a IS NULL', { kind: 'null', isNegated: false }],
    ['a IS NOT NULL', { kind: 'null', isNegated: true }],
    ["a STARTSWITH 'x'", { kind: 'startsWith', root: 'x' }],
  ]
  for (const [where, condition] of rows) test(where, () => assert.deepEqual(conditionOf(where), condition))

  test('the list of IN holds literals of every kind, TRUE and FALSE among them', () => {
    const condition = conditionOf("a IN ('x', 1, 2.5, DATE '2007-01-01', TIMESTAMP '2007-01-01 10', True, FALSE)")
    assert.deepEqual(condition?.kind === 'in' && condition.values.map((value) => value.kind), [
      'string',
      'integer',
      'double',
      'date',
      'timestamp',
      'integer',
      'integer',
    ])
  })

  test('a cast and a hint stay with their property', () => {
    const predicate = whereOf('/*+ES: OPERATOR(match) */ DATE(dc:created) IS NULL')
    assert.deepEqual(predicate.kind === 'condition' && predicate.subject, {
      kind: 'reference',
      name: 'dc:created',
      isCastToDate: true,
      hint: { fields: [], operator: 'match' },
      offset: 55,
      end: 71,
    })
  })
})

describe('clauses', () => {
  test('all of them, on several lines', () => {
    const statement = parseStatement(
      'select distinct dc:title as t, COUNT(a)\nfrom type Note as n, File\r\nwhere a = 1\n\torder by b, c desc, d asc limit 10 offset 5',
    )
    assert.equal(statement.isDistinct, true)
    assert.deepEqual(statement.select !== 'everything' && statement.select.map((item) => item.alias), ['t', undefined])
    assert.deepEqual(
      statement.from.map((type) => type.name),
      ['Note', 'File'],
    )
    assert.deepEqual(
      statement.orderBy.map((item) => item.isDescending),
      [false, true, false],
    )
    assert.deepEqual([statement.limit, statement.offset], [10, 5])
  })

  test('SELECT ALL * is SELECT *', () => assert.equal(parseStatement('SELECT ALL * FROM LOCATION a').select, 'everything'))

  test('order and group are names outside their clauses', () =>
    assert.equal(parseStatement('SELECT * FROM a WHERE order = 1 AND group = 2 ORDER BY order').orderBy.length, 1))
})

describe('what does not fit', () => {
  const refused: readonly (readonly [string, string, number])[] = [
    ['', 'EOF', 0],
    ['  ', 'EOF', 2],
    ['dc:title = 1', 'dc:title', 0],
    ['SELECT', 'EOF', 6],
    ['SELECT * FROM', 'EOF', 13],
    ['SELECT * Document', 'Document', 9],
    ['SELECT *, a FROM b', ',', 8],
    ['SELECT a + b FROM c', '+', 9],
    ['SELECT COUNT(*) FROM a', '*', 13],
    ['SELECT f(a,) FROM b', ')', 11],
    ['SELECT * FROM a/b', 'a/b', 14],
    ['SELECT * FROM select', 'select', 14],
    ['SELECT * FROM a WHERE', 'EOF', 21],
    ['SELECT * FROM a WHERE b', 'EOF', 23],
    ['SELECT * FROM a WHERE b = 1 = 2', '=', 28],
    ['SELECT * FROM a WHERE b = 1 c', 'c', 28],
    ['SELECT * FROM a WHERE b = 1 1 = 1', '1', 28],
    ['SELECT * FROM a WHERE (b) = 1', ')', 24],
    ['SELECT * FROM a WHERE (b = 1', 'EOF', 28],
    ['SELECT * FROM a WHERE b IN ()', ')', 28],
    ["SELECT * FROM a WHERE b IN ('x'", 'EOF', 31],
    ['SELECT * FROM a WHERE b IN (c)', 'c', 28],
    ['SELECT * FROM a WHERE b IN (NOW())', 'NOW', 28],
    ['SELECT * FROM a WHERE b IN (DATE(c))', '(', 32],
    ['SELECT * FROM a WHERE b BETWEEN c AND 1', 'c', 32],
    ['SELECT * FROM a WHERE b LIKE 1', '1', 29],
    ['SELECT * FROM a WHERE b LIKE c', 'c', 29],
    ["SELECT * FROM a WHERE 'x' LIKE 'y'", 'LIKE', 26],
    ["SELECT * FROM a WHERE NOW() LIKE 'y'", 'LIKE', 28],
    ['SELECT * FROM a WHERE b NOT = 1', '=', 28],
    ["SELECT * FROM a WHERE b NOT STARTSWITH 'x'", 'STARTSWITH', 28],
    ['SELECT * FROM a WHERE b IS 1', '1', 27],
    ['SELECT * FROM a WHERE b = TIMESTAMP(c)', '(', 35],
    ['SELECT * FROM a WHERE b = DATE c', 'c', 31],
    ['SELECT * FROM a WHERE /*+ES: */ 1 = 1', '1', 32],
    ['SELECT * FROM a GROUP BY b', 'GROUP BY', 16],
    ['SELECT * FROM a HAVING b = 1', 'HAVING', 16],
    ['SELECT * FROM a ORDER BY 1', '1', 25],
    ["SELECT * FROM a ORDER BY DATE 'x'", "'x'", 30],
    ['SELECT * FROM a ORDER BY b ORDER BY c', 'ORDER BY', 27],
    ['SELECT * FROM a LIMIT b', 'b', 22],
    ['SELECT * FROM a LIMIT -1', '-1', 22],
    ['SELECT * FROM a LIMIT 1.5', '1.5', 22],
    ['SELECT * FROM a OFFSET 1', 'OFFSET', 16],
    ['SELECT * FROM a WHERE b = 1-1', '-1', 27],
  ]
  for (const [text, token, offset] of refused) {
    test(`${text} is refused at ${token}`, () =>
      assert.throws(() => parseStatement(text), {
        code: 'invalidToken',
        message: `Syntax error: Invalid token <${token}> at offset ${offset}`,
      }))
  }

  test('what is wrong first is told, be it a token or a character', () => {
    assert.throws(() => parseStatement('SELECT FROM ?'), { message: 'Syntax error: Invalid token <FROM> at offset 7' })
    assert.throws(() => parseStatement('SELECT ? FROM'), { message: 'Lexical Error: Illegal character <?> at offset 7' })
  })
})
