import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chooseLanguage, sayIn } from './words.ts'

describe('words', () => {
  const say = sayIn({ greeting: 'Hello, {name}', files: { one: '{count} file', other: '{count} files' } }, 'en')
  test('have values where they are named', () => assert.equal(say('greeting', { name: 'Ada' }), 'Hello, Ada'))
  test('follow the number of things', () => {
    assert.equal(say('files', { count: 1 }), '1 file')
    assert.equal(say('files', { count: 1200 }), '1,200 files')
  })
  test('count as the language does', () => {
    const dire = sayIn({ files: { one: '{count} fichier', other: '{count} fichiers' } }, 'fr')
    assert.equal(dire('files', { count: 0 }), '0 fichier')
  })
  test('break in French at no space that belongs to a mark', () => {
    const dire = sayIn({ asked: 'Supprimer « {name} » ? Oui : non' }, 'fr')
    assert.equal(dire('asked', { name: 'a b' }), 'Supprimer «\u00a0a b\u00a0»\u00a0? Oui\u00a0: non')
  })
})

describe('the language', () => {
  test('is the chosen one', () => assert.equal(chooseLanguage('fr', ['en-GB']), 'fr'))
  test('is the first of the browser that there is', () => assert.equal(chooseLanguage(null, ['de-DE', 'fr-CA', 'en']), 'fr'))
  test('is English where nobody speaks another', () => assert.equal(chooseLanguage(null, ['de']), 'en'))
})
