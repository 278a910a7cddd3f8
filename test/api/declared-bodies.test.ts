import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '../../src/base/problem.ts'
import { builtinPlugins } from '../../src/builtin-plugins.ts'
import { gatherPlugins } from '../../src/plugin/gather-plugins.ts'
import { describeApi, ownParameters } from '../../src/rest/openapi/openapi.ts'
import type { Schema } from '../../src/rest/openapi/schema.ts'
import { readingOf } from '../../src/rest/payload/check-value.ts'
import { readBody } from '../../src/rest/payload/declared-input.ts'
import { statusOfError } from '../../src/rest/problem-status.ts'
import { createRegistry } from '../../src/rest/registry.ts'
import type { Description } from '../../src/rest/route.ts'

const { routes, resources, adapters, operations } = gatherPlugins(builtinPlugins)
const registry = createRegistry({ routes, resources, adapters, operations })

const declared: readonly (readonly [name: string, description: Description])[] = [
  ...routes.map((route) => [`${route.method} ${route.path}`, route] as const),
  ...resources.flatMap(({ template, methods }) =>
    Object.entries(methods).map(([method, one]) => [`${method} ${template}`, one] as const),
  ),
  ...adapters.flatMap(({ name, methods = {} }) =>
    Object.entries(methods).map(([method, one]) => [`${method} @${name}`, one] as const),
  ),
]
const bodies = declared.flatMap(([name, { body }]) => (body === undefined ? [] : [[name, body] as const]))

/** The object that a body is, or may be. */
function objectOf(schema: Schema): Schema {
  return schema.anyOf?.find(({ type }) => type === 'object') ?? schema
}

/** A value of no declared type. */
const wrong: unique symbol = Symbol('wrong')

function usualOf(schema: Schema): { [name: string]: unknown } {
  const entries = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name))
  return Object.fromEntries(
    entries.map(([name, one]) => [name, one.const ?? (one.type === 'string' ? 'text' : one.type === 'array' ? [] : {})]),
  )
}

describe('every declared body', () => {
  test('is among these', () => assert.ok(bodies.length >= 15, `only ${bodies.length}`))

  for (const [name, body] of bodies) {
    const schema = objectOf(body)
    test(`${name} takes what it declares`, () => {
      assert.doesNotThrow(() => readBody(body, usualOf(schema)))
    })
    for (const [field, property] of Object.entries(schema.properties ?? {})) {
      test(`${name} refuses a wrong ${field} with 400, or takes it as its declaration says`, () => {
        const { isForgiving, takesAny } = readingOf(property)
        const sent = { ...usualOf(schema), [field]: wrong }
        const isOpen = property.type === undefined && property.anyOf === undefined
        if (isForgiving || takesAny || isOpen) return assert.doesNotThrow(() => readBody(body, sent))
        return assert.throws(
          () => readBody(body, sent),
          (error) => error instanceof Problem && statusOfError(error) === 400 && error.message !== '',
        )
      })
    }
    test(`${name} refuses what is no object with 400, or forgives it`, () => {
      if (readingOf(body).isForgiving) return assert.equal(readBody(body, 5), undefined)
      return assert.throws(
        () => readBody(body, 5),
        (error) => error instanceof Problem && statusOfError(error) === 400,
      )
    })
  }
})

describe('the description of the API', () => {
  const api = describeApi(registry, { title: 'Test', version: '1', basePath: '' })
  const calls = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  )
  test('has a schema for every body', () => {
    for (const { name, operation } of calls) {
      for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
        assert.ok(Object.keys(schema).length > 0, name)
      }
    }
  })
  test('has a type for every parameter and header', () => {
    const parameters = [
      ...calls.flatMap(({ operation }) => ownParameters(operation)),
      ...Object.values(api.components.parameters),
    ]
    for (const { name, schema } of parameters) {
      assert.ok(schema['type'] !== undefined || schema['anyOf'] !== undefined || schema['$ref'] !== undefined, name)
    }
  })
  test('has a readable id for every call, which no other has', () => {
    const ids = new Map<string, string>()
    for (const { name, operation } of calls) {
      const { operationId } = operation
      assert.match(operationId, /^[a-z][A-Za-z0-9]+$/, name)
      assert.equal(ids.get(operationId), undefined, `${operationId}: ${name} and ${ids.get(operationId)}`)
      ids.set(operationId, name)
    }
    for (const id of ['getDocumentById', 'createDocumentByPath', 'listChildrenById', 'listUsers', 'runDocumentGetChildren']) {
      assert.ok(ids.has(id), id)
    }
  })
  test('names headers with the word of the deployment', () => {
    const vendored = (neutral: string) => neutral.replace('Platform', 'Acme')
    const { components } = describeApi(registry, { title: 'Test', version: '1', basePath: '', vendored })
    assert.ok(Object.values(components.parameters).some(({ name }) => name === 'Acme-Transaction-Timeout'))
  })
})
