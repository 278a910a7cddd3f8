import { onEachEngine } from '../../../../test/support/engines.ts'
import { rulesOn, shelfWith } from '../../../../test/support/shelf.ts'
import { deny, grant } from '../../../model/rights/acl.ts'

onEachEngine('places', (engine) => {
  const open = shelfWith(engine, {
    alpha: { type: 'Folder', position: 3 },
    'alpha/f1': { type: 'File' },
    'alpha/sub': { type: 'Folder' },
    'alpha/sub/n1': { type: 'Note' },
    'alpha-x': { type: 'Folder' },
    version: { type: 'Note', path: null, parentId: null, isVersion: true, seriesId: 'n1' },
  })
  const rule = rulesOn(open, 'Document')

  rule(
    '3 FROM takes a type with those that extend it, the root of the repository is never found',
    ["ecm:name <> 'zzz'", 'alpha f1 sub n1 alpha-x version'],
    ["ecm:primaryType = 'Document'", ''],
    ["ecm:primaryType = 'Note'", 'n1 version'],
    ["ecm:primaryType IN ('File', 'nosuch')", 'f1'],
  )
  rule(
    '6 STARTSWITH on a path finds what is strictly below it, and follows no name that only begins alike',
    ["ecm:path STARTSWITH '/alpha'", 'f1 sub n1'],
    ["ecm:path STARTSWITH '/alpha/'", 'f1 sub n1'],
    ["ecm:path STARTSWITH '/'", 'alpha f1 sub n1 alpha-x'],
    ["ecm:path STARTSWITH '/nothere'", ''],
    ["NOT ecm:path STARTSWITH '/alpha'", 'alpha alpha-x version'],
    ["NOT ecm:path STARTSWITH '/'", 'version'],
  )
  rule(
    '7 ecm:path is or is not a path',
    ["ecm:path = '/alpha/'", 'alpha'],
    ["ecm:path = '/nothere'", ''],
    ["ecm:path <> '/alpha'", 'f1 sub n1 alpha-x version'],
    ["ecm:path = '/al\u0000pha' OR ecm:path STARTSWITH '/a\u0000'", ''],
  )
  rule(
    '7 ecm:ancestorId is any folder above, and <> finds what has no place, too',
    ["ecm:ancestorId = 'root'", 'alpha f1 sub n1 alpha-x'],
    ["ecm:ancestorId = 'alpha'", 'f1 sub n1'],
    ["ecm:ancestorId <> 'alpha'", 'alpha alpha-x version'],
    ["ecm:ancestorId = 'unknown'", ''],
    ["ecm:ancestorId <> 'unknown'", 'alpha f1 sub n1 alpha-x version'],
    ["ecm:ancestorId = 'version'", ''],
  )
  rule(
    '7 ecm:parentId, ecm:pos and ecm:name are those of the row',
    ["ecm:parentId = 'alpha'", 'f1 sub'],
    ['ecm:parentId IS NULL', 'version'],
    ['ecm:pos = 3', 'alpha'],
    ['ecm:pos > 2.5', 'alpha'],
    ["ecm:name LIKE 'alpha%'", 'alpha alpha-x'],
    ["ecm:uuid IN ('n1', 'f1')", 'f1 n1'],
  )
})

onEachEngine('versions, proxies and what else the system knows', (engine) => {
  const version = { type: 'File', path: null, parentId: null, isVersion: true, isCheckedIn: true, seriesId: 'live' }
  const created = '2024-01-01T00:00:00.000Z'
  const open = shelfWith(engine, {
    live: { type: 'File', isCheckedIn: true, majorVersion: 1, minorVersion: 1, lock: { owner: 'bob', created } },
    v1: { ...version, majorVersion: 1, isLatestMajorVersion: true, versionCreated: created, versionComment: 'first' },
    v2: { ...version, majorVersion: 1, minorVersion: 1, isLatestVersion: true, versionCreated: '2024-02-01T00:00:00.000Z' },
    ofVersion: {
      type: 'File',
      isProxy: true,
      targetId: 'v2',
      seriesId: 'live',
      majorVersion: 1,
      minorVersion: 1,
      isLatestVersion: true,
      versionCreated: '2024-02-01T00:00:00.000Z',
    },
    ofLive: { type: 'File', isProxy: true, targetId: 'live', seriesId: 'live', majorVersion: 1, minorVersion: 1 },
    kept: { type: 'Folder', isRecord: true, retainUntil: '2030-01-01T00:00:00.000Z', hasLegalHold: true, isTrashed: true },
  })
  const rule = rulesOn(open, 'Document')

  rule(
    '7 flags are asked for by 0 and 1',
    ['ecm:isVersion = 1', 'v1 v2'],
    ['ecm:isCheckedInVersion = 1', 'v1 v2'],
    ['ecm:isProxy = 1', 'ofVersion ofLive'],
    ['ecm:isTrashed = 1', 'kept'],
    ['ecm:isTrashed <> 1 AND ecm:isVersion <> 1 AND ecm:isProxy = 0', 'live'],
    ['ecm:isRecord = 1 AND ecm:hasLegalHold = 1', 'kept'],
  )
  rule(
    '7 only a live document is checked in',
    ['ecm:isCheckedIn = 1', 'live'],
    ['ecm:isCheckedIn = 0', 'v1 v2 ofVersion ofLive kept'],
  )
  rule(
    '7 the newest version is also found through a proxy to it',
    ['ecm:isLatestVersion = 1', 'v2 ofVersion'],
    ['ecm:isLatestMajorVersion = 1', 'v1'],
  )
  rule(
    '7 a version and a proxy to one have a label, a date and a live document, others do not',
    ["ecm:versionLabel = '1.1'", 'v2 ofVersion'],
    ["ecm:versionLabel > '1.0'", 'v2 ofVersion'],
    ['ecm:versionLabel IS NULL', 'live ofLive kept'],
    ["ecm:versionLabel <> '1.0'", 'v2 ofVersion'],
    ["ecm:versionCreated < DATE '2024-01-15'", 'v1'],
    ["ecm:versionDescription = 'first'", 'v1'],
    ["ecm:versionVersionableId = 'live'", 'v1 v2 ofVersion'],
    ["ecm:versionVersionableId <> 'other'", 'v1 v2 ofVersion'],
    ['ecm:versionVersionableId IS NOT NULL', 'v1 v2 ofVersion'],
  )
  rule(
    '7 the target of a proxy and the live document behind it imply a proxy',
    ["ecm:proxyTargetId = 'v2'", 'ofVersion'],
    ["ecm:proxyVersionableId = 'live'", 'ofVersion ofLive'],
    ['ecm:proxyVersionableId IS NULL', 'live v1 v2 kept'],
  )
  rule(
    '7 a lock is found with what it is on and with what shows that',
    ["ecm:lockOwner = 'bob'", 'live ofLive'],
    ["ecm:lockOwner = 'bob' AND ecm:isProxy = 0", 'live'],
    ['ecm:lock IS NOT NULL AND ecm:lockCreated < NOW()', 'live ofLive'],
    ['ecm:lockOwner IS NULL AND ecm:isProxy = 1', 'ofVersion'],
    ['ecm:lockOwner IS NOT NULL ORDER BY ecm:lockOwner, ecm:isProxy DESC', 'ofLive live'],
  )
  rule(
    '7 states, retention and version numbers',
    ["ecm:currentLifeCycleState <> 'approved' AND ecm:isTrashed = 1", 'kept'],
    ['ecm:retainUntil > NOW()', 'kept'],
    ['uid:major_version = 1 AND uid:minor_version = 0', 'v1'],
    ['ecm:fulltextJobId IS NULL AND ecm:isTrashed = 1', 'kept'],
  )
})

onEachEngine('facets, tags and entries', (engine) => {
  const dates = { past: '2020-01-01T00:00:00.000Z', future: '2030-01-01T00:00:00.000Z' }
  const tagged = (...labels: readonly string[]) => ({ 'nxtag:tags': labels.map((label) => ({ label, username: 'bob' })) })
  const open = shelfWith(engine, {
    folder: {
      type: 'Folder',
      acls: [
        { name: 'local', aces: [grant('bob', 'Browse'), grant('steve', 'Read'), deny('Everyone', 'Everything')] },
        {
          name: 'other',
          aces: [grant('amy', 'Read', { end: dates.past, creator: 'sue' }), grant('tom', 'Read', { begin: dates.future })],
        },
      ],
    },
    file: { type: 'File', facets: ['Folderish', 'Special'], properties: tagged('red', 'big') },
    note: {
      type: 'Note',
      properties: tagged('red'),
      acls: [{ name: 'local', aces: [grant('eve', 'Read', { begin: dates.past })] }],
    },
  })
  const rule = rulesOn(open, 'Document')

  rule(
    '7 ecm:mixinType has the facets of the type and of the document, but some of the type only',
    ["ecm:mixinType = 'Folderish'", 'folder'],
    ["ecm:mixinType = 'Special'", 'file'],
    ["ecm:mixinType IN ('Special', 'Folderish')", 'folder file'],
    ["ecm:mixinType <> 'Special'", 'folder note'],
    ["ecm:mixinType NOT IN ('Folderish', 'Special')", 'note'],
    ["ecm:mixinType = 'NoSuch'", ''],
    ["ecm:mixinType <> 'NoSuch'", 'folder file note'],
    ["ecm:mixinType = 'Immutable'", ''],
  )
  rule(
    '7 all plain mentions of ecm:tag mean one tag, those with a wildcard each another',
    ["ecm:tag = 'red'", 'file note'],
    ["ecm:tag = 'red' AND ecm:tag = 'big'", ''],
    ["ecm:tag/* = 'red' AND ecm:tag/* = 'big'", 'file'],
    ["ecm:tag/*1 = 'red' AND ecm:tag/*2 = 'big'", 'file'],
    ["ecm:tag IN ('red', 'big')", 'file note'],
    ["ecm:tag LIKE 'b%'", 'file'],
    ['ecm:tag IS NULL', 'folder'],
    ['ecm:tag IS NOT NULL', 'file note'],
    ["ecm:tag/* <> 'red'", 'file'],
  )
  rule(
    '7 ecm:acl has the entries of the document itself',
    ["ecm:acl/*/principal = 'bob' AND ecm:acl/*/permission = 'Read'", 'folder'],
    ["ecm:acl/*1/principal = 'bob' AND ecm:acl/*1/permission = 'Read'", ''],
    ["ecm:acl/*1/principal = 'Everyone' AND ecm:acl/*1/permission = 'Everything' AND ecm:acl/*1/grant = 0", 'folder'],
    ["ecm:acl/*1/name = 'other' AND ecm:acl/*1/pos = 3", 'folder'],
    ["ecm:acl/*1/creator = 'sue' AND ecm:acl/*1/end < NOW()", 'folder'],
    ['ecm:acl/*/principal IS NULL', 'file'],
  )
  rule(
    '7 the status of an entry is 0 before it begins, 2 after it ended, 1 between, and null without dates',
    ['ecm:acl/*/status = 0', 'folder'],
    ['ecm:acl/*/status = 1', 'note'],
    ['ecm:acl/*/status = 2', 'folder'],
    ["ecm:acl/*1/status IS NULL AND ecm:acl/*1/principal = 'bob'", 'folder'],
    ["ecm:acl/*1/status IS NULL AND ecm:acl/*1/principal = 'eve'", ''],
  )
})
