import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HeldBy, typedName } from './typed-name.ts'

interface Greeting {
  readonly to: readonly { readonly name: string }[]
  readonly at?: string
}

const greeting = typedName<Greeting>('greeting')
const hold = <Name extends string>(name: Name, value: HeldBy<Name>) => [name, value]

test('a name takes values of its type alone, and a plain text takes any JSON', () => {
  assert.deepEqual(hold(greeting, { to: [{ name: 'Ann' }] }), ['greeting', { to: [{ name: 'Ann' }] }])
  assert.deepEqual(hold('anything', { to: 1 }), ['anything', { to: 1 }])
  // @ts-expect-error: the names are missing
  hold(greeting, { at: 'noon' })
  // @ts-expect-error: no JSON
  hold('anything', new Date())
})

test('a name is for nothing that would come back from JSON as something else', () => {
  // @ts-expect-error: it would come back as a text
  assert.equal(typedName<{ readonly at: Date }>('date'), 'date')
  // @ts-expect-error: it would not come back at all
  assert.equal(typedName<{ run(): void }>('function'), 'function')
})
