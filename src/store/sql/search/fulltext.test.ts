import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { rulesOn, shelfWith } from '../../../../test/support/shelf.ts'
import { parseFulltext, soughtWords } from '../../../nxql/fulltext/fulltext-expression.ts'
import { relevanceOf, tokenise, wordCounts } from '../../../nxql/fulltext/fulltext-tokens.ts'

const words = (title: string, description = '', more: { readonly [name: string]: string | readonly string[] } = {}) => ({
  properties: { 'dc:title': title, 'dc:description': description, ...more },
})

onEachEngine('full text', (engine) => {
  const open = shelfWith(engine, {
    first: words('First report', 'a café in Łódź', { 'dc:source': 'Some zebra text' }),
    second: words('Second report', 'well-known things', { 'dc:subjects': ['pete', 'bob'] }),
    third: words('Report of the third kind', 'report report report'),
    split: words('red', 'car'),
    bare: {},
  })
  const rule = rulesOn(open)
  const matches = (name: string, ...expectations: readonly (readonly [expression: string, names: string])[]) =>
    rule(name, ...expectations.map(([expression, names]) => [`ecm:fulltext = '${expression}' ORDER BY ecm:uuid`, names] as const))

  matches(
    '8.1 words are all needed, in whatever order',
    ['report', 'first second third'],
    ['report FIRST', 'first'],
    ['+report +second', 'second'],
  )
  matches(
    '8.1 a minus excludes, and exclusions alone match nothing',
    ['report -second', 'first third'],
    ['report -"first report" -third', 'second'],
    ['-report', ''],
    ['-report OR pete', 'second'],
  )
  matches(
    '8.1 a phrase has its words side by side, within one field',
    ['"first report"', 'first'],
    ['"report first"', ''],
    ['"red car"', ''],
    ['red car', 'split'],
  )
  matches(
    '8.1 OR binds less than the words beside each other',
    ['pete OR zebra nothing', 'second'],
    ['pete OR zebra some', 'first second'],
  )
  matches(
    '8.1 a star or a percent sign leaves the end of a word open',
    ['rep*', 'first second third'],
    ['zeb%', 'first'],
    ['"rep*"', ''],
    ['well-kno*', 'second'],
  )
  matches(
    '8.1 punctuation alone is ignored, nothing at all matches nothing',
    ['report : first', 'first'],
    ['', ''],
    ['   ', ''],
    ['""', ''],
  )
  matches(
    '8.2 case, accents and strokes do not matter',
    ['CAFE', 'first'],
    ['café', 'first'],
    ['lodz', 'first'],
    ['Łódź', 'first'],
  )
  matches('8.2 lists and all other fields are indexed', ['bob', 'second'], ['zebra', 'first'])
  matches('8.2 stop words beside others are not asked for', ['the report of pete', 'second'], ['of', 'third'])

  rule(
    '8.3 a named index and the index of a property know only what is theirs',
    ["ecm:fulltext_title = 'report' ORDER BY ecm:uuid", 'first second third'],
    ["ecm:fulltext_title = 'zebra'", ''],
    ["ecm:fulltext_description = 'report'", 'third'],
    ["ecm:fulltext.dc:title = 'FIRST rep*'", 'first'],
    ["ecm:fulltext LIKE 'zebra'", 'first'],
  )
  rule(
    '8.3 of a property without an index the text holds the words in their order',
    ["ecm:fulltext.dc:source = 'ZEB text'", 'first'],
    ["ecm:fulltext.dc:source = 'text zebra'", ''],
    ["ecm:fulltext.dc:source = 'zebra -some'", ''],
    ["ecm:fulltext.dc:source = ':'", ''],
  )
  rule(
    '8.3 matches can be negated and joined with all else',
    ["NOT ecm:fulltext = 'report'", 'split bare'],
    ["ecm:fulltext = 'zebra' OR dc:title = 'red'", 'first split'],
    ["ecm:fulltext = 'report' AND ecm:fulltext = 'pete'", 'second'],
    ["NOT (ecm:fulltext = 'report' OR dc:title = 'red')", ''],
    ["NOT ecm:fulltext = '-x'", 'first second third split bare'],
  )

  test('8.3 the best match comes first where no order is asked for', async () => {
    const shelf = await open()
    assert.match(await shelf.find("SELECT * FROM Specimen WHERE ecm:fulltext = 'report'"), /^third /)
    assert.match(await shelf.find("SELECT * FROM Specimen WHERE ecm:fulltext = 'report' OR dc:title = 'red'"), /^third .* split$/)
  })

  test('7 the score is a column and a key, higher for a better match and null for none', async () => {
    const shelf = await open()
    const where = "FROM Specimen WHERE ecm:fulltext = 'report' OR dc:title = 'red'"
    const rows = await shelf.rows(`SELECT ecm:uuid, ecm:fulltextScore ${where} ORDER BY ecm:fulltextScore`)
    assert.equal(rows.length, 4)
    assert.deepEqual([rows.at(0), rows.at(-1)?.[0]], [['split', null], 'third'])
    const scores = rows.slice(1).map(([, score]) => score as number)
    assert.deepEqual(
      scores.toSorted((left, right) => left - right),
      scores,
    )
    assert.ok(scores.every((score) => score > 0))
  })

  test('the score is that of the document by itself, the same to the last digit on every engine', async () => {
    const shelf = await open()
    const texts = {
      first: 'First report ¶ a café in Łódź ¶ Some zebra text',
      second: 'Second report ¶ well-known things ¶ pete ¶ bob',
      third: 'Report of the third kind ¶ report report report',
    }
    for (const expression of ['report', 'rep*', 'report OR zebra', '"third kind" report', 'report -pete', 'rep* z* OR the']) {
      const sought = soughtWords(parseFulltext(expression))
      const rows = await shelf.rows(`SELECT ecm:uuid, ecm:fulltextScore FROM Specimen WHERE ecm:fulltext = '${expression}'`)
      for (const [id, score] of rows) {
        const words = tokenise(texts[id as keyof typeof texts])
        assert.equal(score, relevanceOf(wordCounts([words]), sought), `${id} for ${expression}`)
      }
      assert.ok(rows.length > 0)
    }
    const titled = await shelf.rows("SELECT ecm:uuid, ecm:fulltextScore FROM Specimen WHERE ecm:fulltext.dc:title = 'second'")
    assert.deepEqual(titled, [['second', relevanceOf(wordCounts([['second', 'report']]), [{ word: 'second', isPrefix: false }])]])
  })

  test('what others have stored does not change a score', async () => {
    const alone = await shelfWith(engine, { only: words('Annual report') })()
    const others = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`other${index}`, words('report '.repeat(index + 2))]),
    )
    const among = await shelfWith(engine, { only: words('Annual report'), ...others })()
    const query = "SELECT ecm:uuid, ecm:fulltextScore FROM Specimen WHERE ecm:fulltext = 'annual report'"
    assert.deepEqual(await among.rows(query), await alone.rows(query))
  })

  test('as many words as are allowed are no problem', async () => {
    const shelf = await open()
    const expression = Array.from({ length: 99 }, (_, index) => `w${index} pete`).join(' OR ')
    assert.equal(await shelf.find(`SELECT * FROM Specimen WHERE ecm:fulltext = '${expression} OR zebra'`), 'first')
  })
})

onEachEngine('hints', (engine) => {
  const open = shelfWith(engine, {
    annual: words('The Annual Report', '', { 'dc:source': 'Résumé of 1999', 'dc:subjects': ['deep sea', 'fish'] }),
    budget: words('Annual budget', 'fish', { 'dc:source': 'Budgets' }),
    bare: {},
  })
  const hint = (operator: string, fields = '') => `/*+ES: ${fields === '' ? '' : `INDEX(${fields}) `}OPERATOR(${operator}) */`
  const rule = rulesOn(open)

  rule(
    '11 match finds any of the words, in the properties that are named',
    [`${hint('match')} dc:title = 'report budget'`, 'annual budget'],
    [`${hint('match')} dc:source = 'RESUME'`, 'annual'],
    [`${hint('match')} dc:subjects = 'sea'`, 'annual'],
    [`${hint('match', 'dc:description.fulltext,dc:subjects')} dc:title = 'fish'`, 'annual budget'],
  )
  rule(
    '11 match_phrase wants them side by side, match_phrase_prefix the last one only begun',
    [`${hint('match_phrase')} dc:title = 'annual report'`, 'annual'],
    [`${hint('match_phrase')} dc:title = 'report annual'`, ''],
    [`${hint('match_phrase_prefix', 'dc:title.fulltext')} dc:title ILIKE 'annual rep%'`, 'annual'],
    [`${hint('match_phrase_prefix')} dc:source = 'resume of 19'`, 'annual'],
    [`${hint('match_phrase_prefix')} dc:source = 'budget'`, 'budget'],
  )
  rule(
    '11 fuzzy forgives a letter or two, wildcard and regex match the whole text',
    [`${hint('fuzzy')} dc:source = 'budgats'`, 'budget'],
    [`${hint('fuzzy')} dc:source = 'budg'`, ''],
    [`${hint('fuzzy')} dc:title = 'anual'`, 'annual budget'],
    [`${hint('wildcard')} dc:title = 'Annual*'`, 'budget'],
    [`${hint('wildcard')} dc:title = '*Rep?rt'`, 'annual'],
    [`${hint('regex')} dc:source = 'Bud(get|gie)s?'`, 'budget'],
    [`${hint('regex')} dc:source = '.*19[89]9'`, 'annual'],
    [`${hint('regex')} dc:source = '(a+)+b'`, ''],
  )
  rule(
    '11 what no document has in common is not like it, and NOT turns a match around',
    [`${hint('more_like_this')} dc:title = 'an annual thing'`, 'annual budget'],
    [`NOT ${hint('match')} dc:title = 'report'`, 'budget bare'],
    [`${hint('query_string')} dc:title = 'Annual budget'`, 'budget'],
  )
})
