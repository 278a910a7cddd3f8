import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metadataFrom } from './picture-metadata.ts'

test('10.4 what a camera tells becomes properties, in their types', () => {
  const tags = {
    equipment: 'Aster X1',
    dateTimeOriginal: '2024-05-06T07:08:09',
    xResolution: 299.6,
    iso: '200',
    fNumber: 2.8,
    focalLength: '35.0 mm',
    focalLengthMillimetres: 35,
  }
  assert.deepEqual(metadataFrom(tags, { properties: {} }), {
    'imd:equipment': 'Aster X1',
    'imd:date_time_original': '2024-05-06T07:08:09.000Z',
    'imd:xresolution': 300,
    'imd:iso_speed_ratings': '200',
    'imd:fnumber': 2.8,
    'imd:focalLength': '35.0 mm',
    'imd:focal_length': 35,
  })
})

test('10.4 what somebody has written stays', () => {
  const properties = { 'dc:description': 'mine', 'imd:copyright': 'mine', 'dc:rights': null }
  const told = metadataFrom({ caption: 'theirs', copyright: 'theirs', copyrightNotice: 'free' }, { properties })
  assert.deepEqual(told, { 'dc:rights': 'free' })
})

test('a moment that is none, and a number that no property holds, are left out', () => {
  const properties = {}
  for (const dateTimeOriginal of ['0000-00-00T00:00:00', '2024-13-40T99:00:00', 'soon', ''])
    assert.deepEqual(metadataFrom({ dateTimeOriginal }, { properties }), {}, dateTimeOriginal)
  assert.deepEqual(metadataFrom({ xResolution: 1e300 }, { properties }), {})
})
