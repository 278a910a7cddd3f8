import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Method } from '../route.ts'
import { adapterOperationId, commandOperationId, resourceOperationId, routeOperationId } from './operation-id.ts'

describe('the name of a call', () => {
  const routes: readonly [method: Method, path: string, name: string][] = [
    ['GET', '/things', 'listThings'],
    ['POST', '/things', 'createThing'],
    ['GET', '/things/{id}', 'getThing'],
    ['PUT', '/things/{id}', 'updateThing'],
    ['DELETE', '/things/{id}', 'deleteThing'],
    ['POST', '/things/{id}', 'createThingById'],
    ['GET', '/things/{id}/parts', 'listThingParts'],
    ['DELETE', '/things/{thingId}/parts/{partId}', 'deleteThingPart'],
    ['GET', '/categories/{id}', 'getCategory'],
    ['GET', '/status', 'getStatus'],
    ['POST', '/ping/{name}', 'createPingByName'],
    ['GET', '/prices/{currency}/{day}', 'getPriceByDay'],
  ]
  for (const [method, path, name] of routes) {
    test(`of ${method} ${path} is ${name}`, () => assert.equal(routeOperationId(method, path), name))
  }
  test('of a document says how it is found', () => {
    assert.equal(resourceOperationId('GET', '/id/{docId}'), 'getDocumentById')
    assert.equal(adapterOperationId('GET', 'children', '/path/{docPath}', 'listChildren'), 'listChildrenByPath')
    assert.equal(adapterOperationId('POST', 'op', '', 'runOperation'), 'runOperation')
  })
  test('of an operation is its id, without words that say nothing', () => {
    assert.equal(commandOperationId('Document.Lock'), 'runDocumentLock')
    assert.equal(commandOperationId('Business.BusinessCreateOperation'), 'runBusinessCreate')
    assert.equal(commandOperationId('Actions.GET'), 'runActionsGet')
    assert.equal(commandOperationId('RunOperation'), 'runRunOperation')
  })
})
