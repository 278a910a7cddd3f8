import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matching } from './matching.ts'

const commands = ['Go to Home', 'Home page', 'Créer un dossier', 'Sign out'].map((label) => ({ label }))
const found = (text: string) => matching(commands, text).map(({ label }) => label)

test('commands are found by the beginnings of their words, in any order', () => {
  assert.deepEqual(found('ho'), ['Home page', 'Go to Home'])
  assert.deepEqual(found('do cr'), ['Créer un dossier'])
  assert.deepEqual(found('ign'), [])
  assert.deepEqual(
    found('  '),
    commands.map(({ label }) => label),
  )
})
