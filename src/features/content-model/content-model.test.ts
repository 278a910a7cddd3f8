import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinContributions, builtinModel as model } from '../../../test/support/model/builtin-model.ts'
import { isUnset } from '../../model/properties/property.ts'
import { immutableFacet } from '../../model/versioning.ts'

const directorySchemas = [...new Set(builtinContributions.directories.map(({ schema }) => schema))]
// The variables of workflows are schemas, too, and belong to those.
const schemas = [...model.schemas.values()].filter(({ name }) => !name.startsWith('var_'))
const facets = [...model.facets.keys()].filter((name) => !name.startsWith('facet-var_'))
const allProperties = schemas.flatMap((schema) => model.propertiesOf(schema))
const namesOf = (properties: typeof allProperties) => properties.map((property) => property.name).sort()
const isList = ({ field }: (typeof allProperties)[number]) => field.type.kind === 'list'
const typesWhere = (matches: (name: string) => boolean) => [...model.types.keys()].filter(matches).sort()

describe('the content model', () => {
  test('has 60 document types, the two roots included', () => {
    assert.equal(model.types.size, 60)
    assert.deepEqual(
      typesWhere((name) => model.types.get(name)?.extends === undefined),
      ['Document', 'Relation'],
    )
  })

  test('has 78 schemas, 14 of them used by directories', () => {
    assert.equal(schemas.length, 78)
    assert.equal(directorySchemas.length, 14)
  })

  test('has 56 facets, and none called Immutable', () => {
    assert.equal(facets.length, 56)
    assert.equal(model.facets.has(immutableFacet), false)
  })

  test('gives every type a shape, whose properties are all found by their names', () => {
    for (const type of model.types.keys()) {
      for (const [name, property] of model.shapeOf({ type }).properties) assert.equal(model.findProperty(name), property, name)
    }
  })

  test('puts no schema of a directory on a document', () => {
    for (const type of model.types.keys()) {
      for (const schema of directorySchemas) assert.equal(model.shapeOf({ type }).hasSchema(schema), false, `${type} ${schema}`)
    }
  })

  test('keeps an index on the five usual properties, the ends of relations, the ids of other systems, the workflow of a task, what renditions are of, the event that records wait for, the names of templates, and the lists that documents are found by', () => {
    const indexed = allProperties.filter((property) => property.field.indexed)
    const [lists, single] = [indexed.filter(isList), indexed.filter((property) => !isList(property))]
    const [usual, ends] = [
      ['created', 'creator', 'lastContributor', 'modified', 'title'],
      ['source', 'target'],
    ]
    assert.deepEqual(namesOf(single), [
      ...usual.map((name) => `dc:${name}`),
      'externalEntity:entityId',
      'nt:processId',
      ...ends.map((name) => `relation:${name}`),
      'rend:sourceId',
      'rend:sourceVersionableId',
      'retention_def:startingPointEvent',
      'tmpl:templateName',
    ])
    assert.deepEqual(namesOf(lists), [
      'collectionMember:collectionIds',
      'comment:ancestorIds',
      'dc:contributors',
      'dc:subjects',
      'docri:participatingDocuments',
      'nt:actors',
      'nt:delegatedActors',
      'nt:targetDocumentsIds',
      'snap:children',
      'tmpl:applicableTypes',
      'tmpl:forcedTypes',
    ])
  })

  test('requires no field but of retention rules, and secures what the server looks its own documents up by, and what binds those of others to a template', () => {
    assert.deepEqual(namesOf(allProperties.filter((property) => !property.field.nillable)), [
      'retention_def:startingPointPolicy',
      'retention_rule:applicationPolicy',
    ])
    assert.deepEqual(namesOf(allProperties.filter((property) => property.isSecured)), [
      'drv:subscriptions',
      'rend:renditionName',
      'rend:renditionVariant',
      'rend:sourceId',
      'rend:sourceModificationDate',
      'rend:sourceVersionableId',
      'retention:atLeastUntil',
      'tmpl:forcedBy',
      'tmpl:forcedTypes',
    ])
  })

  test('lets three schemas be written on versions', () => {
    const writable = [...model.schemas.values()].filter((schema) => schema.writableOnVersions).map((schema) => schema.name)
    assert.deepEqual(writable.sort(), ['collectionMember', 'notification', 'relatedtext'])
  })

  test('declares these defaults', () => {
    const declared = allProperties.filter((property) => !isUnset(property.field.defaultValue))
    assert.deepEqual(Object.fromEntries(declared.map(({ name, field }) => [name, field.defaultValue])), {
      'domain:display_type': false,
      'webc:theme': 'sites',
      'webc:themePage': 'workspace',
      'webc:moderationType': 'aposteriori',
      'picturebook:timeinterval': 5,
      'stepf:execution': 'serial',
      'infocom:numberOfComments': 0,
      'rnode:allowTaskReassignment': true,
      'expired_search:isCheckedInVersion': false,
      'advanced_search:isCheckedInVersion': false,
      'advanced_content:ecm_trashed': false,
      'cvd:pageSize': 20,
      'retention_rule:applicationPolicy': 'manual',
      'retention_rule:enabled': true,
      'retention_rule:flexibleRecords': false,
      'retention_def:durationDays': 0,
      'retention_def:durationMonths': 0,
      'retention_def:durationYears': 0,
      'retention_def:durationMillis': 0,
      'tmpl:applicableTypes': ['all'],
      'tmpl:forcedTypes': ['none'],
      'tmpl:useAsMainContent': false,
      'tmpl:allowOverride': true,
      'userprofile:gender': false,
      'vocabulary:obsolete': 0,
      'vocabulary:ordering': 10_000_000,
      'xvocabulary:obsolete': 0,
      'xvocabulary:ordering': 10_000_000,
      'l10nvocabulary:obsolete': 0,
      'l10nvocabulary:ordering': 10_000_000,
      'l10nxvocabulary:obsolete': 0,
      'l10nxvocabulary:ordering': 10_000_000,
      'oauth2Token:isShared': false,
      'oauth2Client:enabled': true,
      'oauth2ServiceProvider:enabled': true,
      'oauthConsumer:enabled': true,
      'oauthConsumer:allowBypassVerifier': false,
      'oauthToken:clientToken': false,
    })
  })
})

describe('document types', () => {
  test('below Folder all have its schemas and facets', () => {
    for (const type of model.typesExtending('Folder')) {
      const shape = model.shapeOf({ type })
      for (const schema of ['common', 'dublincore', 'facetedTag']) assert.ok(shape.hasSchema(schema), `${type} ${schema}`)
      for (const facet of ['Folderish', 'NXTag']) assert.ok(shape.hasFacet(facet), `${type} ${facet}`)
    }
  })

  test('of collections are no folders', () => {
    for (const type of ['Collection', 'Favorites']) assert.equal(model.shapeOf({ type }).hasFacet('Folderish'), false)
  })

  test('below Relation are no documents', () => {
    const relations = ['Relation', 'Tagging', 'DefaultRelation', 'CommentRelation', 'PublicationRelation']
    assert.deepEqual(model.typesExtending('Relation').toSorted(), relations.toSorted())
    assert.deepEqual(
      model.typesExtending('Document').filter((type) => relations.includes(type)),
      [],
    )
  })

  const lifecycles = {
    comment_moderation: ['Comment'],
    task: ['RoutingTask', 'TaskDoc'],
    documentRouteElement: ['ConditionalStepFolder', 'DocumentRoute', 'DocumentRouteStep', 'RouteNode', 'StepFolder'],
    registrationRequest: ['UserInvitation'],
    undefined: [
      'AdministrativeStatus',
      'AdministrativeStatusContainer',
      'AdvancedContent',
      'AdvancedSearch',
      'Annotation',
      'AssetsSearch',
      'BasicAuditSearch',
      'CommentRelation',
      'DefaultRelation',
      'Document',
      'DocumentRouteInstancesRoot',
      'DocumentRouteModelsRoot',
      'ExpiredSearch',
      'ManagementRoot',
      'PermissionsSearch',
      'PublicationRelation',
      'QueryNav',
      'Relation',
      'RetentionRule',
      'RetentionRules',
      'RetentionSearch',
      'SavedSearch',
      'Tag',
      'Tagging',
      'TaskRoot',
      'UserProfile',
    ],
  }
  for (const [lifecycle, types] of Object.entries(lifecycles)) {
    test(`with the lifecycle ${lifecycle} are ${types.join(', ')}`, () =>
      assert.deepEqual(
        typesWhere((name) => String(model.lifecycleOf(name)?.name) === lifecycle),
        types,
      ))
  }
  test('follow the transitions of a route alone when they are one', () => {
    const transitions = ['toValidated', 'toReady', 'toRunning', 'toDone', 'toCanceled', 'backToReady']
    const owners = [...model.types.values()].filter(({ ownTransitions }) => ownTransitions !== undefined)
    assert.deepEqual(owners.map(({ name }) => name).sort(), ['ConditionalStepFolder', 'DocumentRoute', 'StepFolder'])
    for (const { ownTransitions } of owners) assert.deepEqual(ownTransitions, transitions)
  })
  test('have else the default lifecycle', () => {
    const others = Object.values(lifecycles).flat()
    assert.deepEqual(
      typesWhere((name) => model.lifecycleOf(name)?.name === 'default'),
      typesWhere((name) => !others.includes(name)),
    )
  })

  const shapes = {
    File: 'common file dublincore uid files relatedtext facetedTag',
    Note: 'common note uid files dublincore relatedtext facetedTag',
    Picture: 'common uid dublincore file picture image_metadata relatedtext facetedTag',
    Workspace: 'common dublincore facetedTag file webcontainer publishing files',
    AssetsSearch: 'assets_search content_view_display common dublincore uid saved_search',
    DefaultSearch: 'common dublincore uid saved_search default_search content_view_display',
    DocumentRoute: 'common dublincore facetedTag step_folder document_route_instance document_route_model',
    UserInvitation: 'common file dublincore uid files relatedtext facetedTag userinfo registration',
    Annotation: 'comment common dublincore annotation',
    Document: '',
  }
  for (const [type, schemas] of Object.entries(shapes)) {
    test(`${type} has the schemas ${schemas || 'none'}`, () =>
      assert.equal(
        model
          .shapeOf({ type })
          .schemas.map((schema) => schema.name)
          .join(' '),
        schemas,
      ))
  }

  const icons = {
    Root: '/icons/folder.gif',
    Folder: '/icons/folder.gif',
    Domain: '/icons/domain.gif',
    WorkspaceRoot: '/icons/workspace.gif',
    Workspace: '/icons/workspace.gif',
    TemplateRoot: '/icons/folder_template.gif',
    SectionRoot: '/icons/section.png',
    Section: '/icons/section.png',
    OrderedFolder: '/icons/ordered_folder.png',
    File: '/icons/file.gif',
    Note: '/icons/note.gif',
    Picture: '/icons/image.gif',
    Video: '/icons/video.png',
    Audio: '/icons/audio.png',
  }
  for (const [type, icon] of Object.entries(icons)) {
    test(`${type} is shown with ${icon}`, () => assert.equal(model.types.get(type)?.icon, icon))
  }
})
