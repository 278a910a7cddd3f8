import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { locate } from './base-url.ts'

const shown = (basePath: string, path: string) => {
  const location = locate(basePath, path)
  if (location.kind === 'outside') return 'outside'
  const inner = [...location.path.segments.map(({ text }) => text), ...location.path.adapters.map(({ name }) => `@${name}`)].join(
    '/',
  )
  if (location.kind === 'api') return `api ${location.repository ?? '-'} ${inner}`
  return `server ${inner}${location.isProtected ? ' protected' : ''}`
}

const rows: readonly [basePath: string, path: string, expected: string][] = [
  ['', '/api/v1/id/x', 'api - id/x'],
  ['', '/site/api/v1/id/x', 'api - id/x'],
  ['', '/site/automation/Document.Fetch', 'api - automation/Document.Fetch'],
  ['', '/api/v1/repo/other/id/x', 'api other id/x'],
  ['', '/api/v1/repo/other/@emptyWithDefault', 'api other @emptyWithDefault'],
  ['', '/api/v1/repo', 'api - repo'],
  ['', '/api/v1/bulk;id=a;id=b', 'api - bulk'],
  ['', '/api/v1', 'api - '],
  ['', '/api/v1/', 'api - '],
  ['', '/api/v10/id/x', 'server api/v10/id/x protected'],
  ['', '/api', 'server api protected'],
  ['', '/site/other', 'server site/other protected'],
  ['', '/sitemap', 'server sitemap'],
  ['', '/nxfile/default/x/file:content/@a;b%2Fc.txt', 'server nxfile/default/x/file:content/@a;b/c.txt protected'],
  ['', '/nxbigblob/x', 'server nxbigblob/x protected'],
  ['', '/nxfile/%zz', 'server nxfile/%zz protected'],
  ['', '/nxfiles', 'server nxfiles'],
  ['', '/runningstatus', 'server runningstatus'],
  ['', '/', 'server '],
  ['/dms', '/dms/api/v1/id/x', 'api - id/x'],
  ['/dms', '/dms', 'server '],
  ['/dms', '/api/v1/id/x', 'outside'],
  ['/dms', '/dmsx/api/v1/id/x', 'outside'],
]

describe('the place of a path', () => {
  for (const [basePath, path, expected] of rows) {
    test(`${path} below '${basePath}' is ${expected}`, () => assert.equal(shown(basePath, path), expected))
  }
})
