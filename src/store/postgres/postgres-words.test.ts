import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import sql, { raw } from 'sql-template-tag'
import { testPostgresUrl } from '../../../test/support/postgres.ts'
import { tokenise } from '../../nxql/fulltext/fulltext-tokens.ts'
import { lowerCase } from '../../nxql/letter-case.ts'
import { postgresSearchDialect } from './postgres-search-dialect.ts'
import { words } from './postgres-words.ts'

describe('letters in PostgreSQL', () => {
  let client: pg.Client
  before(async () => {
    client = new pg.Client(await testPostgresUrl())
    await client.connect()
  })
  after(() => client.end())

  const each = async (texts: readonly string[], expression: typeof words) => {
    const { text, values } =
      sql`SELECT ${expression(raw('given'))} FROM unnest(${texts}::text[]) WITH ORDINALITY AS texts(given, at) ORDER BY at`
    return (await client.query<[string]>({ text, values, rowMode: 'array' })).rows.map(([result]) => result)
  }

  test('have the lower case that queries know, all that the server has heard of', async () => {
    const points = Array.from({ length: 0x11_0000 }, (_, point) => point).filter(
      (point) => point > 0 && (point < 0xd800 || point > 0xdfff),
    )
    const letters = points.map((point) => String.fromCodePoint(point))
    const lowered = await each(letters, postgresSearchDialect.lowered)
    const different = letters.filter((letter, index) => lowered[index] !== lowerCase(letter))
    const known = await client.query('SELECT letter FROM unnest($1::text[]) AS letters(letter) WHERE unicode_assigned(letter)', [
      different,
    ])
    assert.deepEqual(known.rows, [])
    assert.ok(different.length < 100)
  })

  test('have the lower case of the text that they stand in', async () => {
    const texts = ['ΑΣ ΣΑΣ', 'İstanbul', 'STRASSE ß', 'ÀÉÎ', 'ДА']
    assert.deepEqual(await each(texts, postgresSearchDialect.lowered), texts.map(lowerCase))
  })

  test('make the words that the index has', async () => {
    const texts = [
      'Résumé: l’œuvre d’Æsop (ﬁne)',
      'ΑΣ, Straße x² – Łódź',
      '한국어 텍스트',
      'Привет-мир! 12.5',
      'שָׁלוֹם عَرَبِيّ',
      '',
      '¶',
    ]
    assert.deepEqual(
      await each(texts, words),
      texts.map((text) => ` ${tokenise(text).join(' ')} `),
    )
  })
})
