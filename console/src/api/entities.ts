// Made by `npm run console-types`.
export type paths = Record<string, never>
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    /** @description What the enrichers add that `enrichers.document` names */
    DocumentContextParameters: {
      relations?: {
        /** @description What the relation is */
        predicate: string
        /** @description It leads from the document to the other one */
        outgoing: boolean
        document: components['schemas']['Document']
      }[]
      publications?: {
        resultsCount: number
      }
      tags?: string[]
      collections?: components['schemas']['Document'][]
      favorites?: {
        isFavorite: boolean
      }
      audit?: components['schemas']['LogEntry'][]
      retention?: {
        rule: {
          id: string
          title: string | null
        } | null
        /** @description Whether the caller could attach a rule now */
        mayAttach: boolean
        /** @description Whether the caller could take the rule back now */
        mayDetach: boolean
      }
      subscribedNotifications?: string[]
      synchronization?: {
        root: {
          /** @description The document itself, or a folder above it */
          id: string
          title: string | null
        } | null
      }
      pendingTasks?: components['schemas']['Task'][]
      runnableWorkflows?: components['schemas']['Workflow'][]
      runningWorkflows?: components['schemas']['Workflow'][]
      quota?: {
        /** @description Bytes of the files of the folder itself */
        innerSize: number
        /** @description With all below it, versions and the trash included */
        totalSize: number
        sizeTrash: number
        sizeVersions: number
        /** @description 0 where nothing is limited */
        maxSize: number
      } | null
      renditions?: {
        name: string
        kind: string | null
        icon: string
        url: string
      }[]
      breadcrumb?: components['schemas']['DocumentList']
      children?: components['schemas']['DocumentList']
      firstAccessibleAncestor?: components['schemas']['Document']
      hasContent?: boolean
      hasFolderishChild?: boolean
      highlight?: {
        field: string
        segments: string[]
      }[]
      permissions?: string[]
      preview?: {
        url: string
      }
      subtypes?: {
        type: string
        facets: string[]
      }[]
      thumbnail?: {
        url: string
      }
      userVisiblePermissions?: string[]
      version?: {
        label: string
        created: string | null
        comment: string | null
        /** @description Whether it is the newest version */
        isLatest: boolean
        isLatestMajor: boolean
        baseId: string | null
      }
      acls?: {
        name: string
        aces: components['schemas']['ShownAce'][]
        /** @description The same for clients of old, where the server is set up so */
        ace?: components['schemas']['ShownAce'][]
      }[]
      documentURL?: string | null
    }
    Document: {
      /** @constant */
      'entity-type': 'document'
      repository: string
      uid: string
      /** @description Of a version, that of its live document, while there is one */
      path: string | null
      type: string
      /** @description Of its lifecycle */
      state: string
      parentRef: string | null
      /** @description Whether it was changed since its last version */
      isCheckedOut: boolean
      isRecord: boolean
      retainUntil: string | null
      hasLegalHold: boolean
      isUnderRetentionOrLegalHold: boolean
      isVersion: boolean
      isProxy: boolean
      /** @description Of a proxy */
      proxyTargetId?: string | null
      /** @description Of a version or a proxy: the live document */
      versionableId?: string | null
      /** @description Sent back with a change, which is refused if another one came first */
      changeToken: string | null
      isTrashed: boolean
      title: string
      /** @description With `fetch.document: versionLabel` */
      versionLabel?: string
      /** @description With `fetch.document: lock`, of a locked one */
      lockOwner?: string
      /** Format: date-time */
      lockCreated?: string
      /** @description dc:modified */
      lastModified?: unknown
      /** @description Values by xpath, of the schemas that the header `properties` asks for */
      properties?: {
        [key: string]: unknown
      }
      facets: string[]
      schemas: {
        name: string
        prefix: string
      }[]
      contextParameters?: components['schemas']['DocumentContextParameters']
    }
    LogEntry: {
      /** @constant */
      'entity-type': 'logEntry'
      /** @description Grows with every row */
      id: number
      category: string | null
      principalName: string | null
      comment: string | null
      docLifeCycle: string | null
      docPath: string | null
      docType: string | null
      docUUID: string | null
      eventId: string | null
      repositoryId: string | null
      /** @description When it happened */
      eventDate: string
      /** @description When it was stored */
      logDate: string
      /** @description What else the event tells */
      extended: {
        [key: string]: unknown
      }
    }
    Task: {
      /** @constant */
      'entity-type': 'task'
      id: string
      name: string | null
      workflowInstanceId: string | null
      workflowModelName?: string
      /** @description The user with `fetch.task: workflowInitiator` */
      workflowInitiator?:
        | (string | null)
        | ({
            'entity-type': string
          } & {
            [key: string]: unknown
          })
      workflowTitle?: string | null
      workflowLifeCycleState?: string
      graphResource?: string
      /** @description opened, ended or cancelled */
      state: string
      directive: string | null
      created: string | null
      dueDate: string | null
      nodeName: string | null
      targetDocumentIds: ({
        id?: string
      } & {
        [key: string]: unknown
      })[]
      actors: ({
        id?: string
      } & {
        [key: string]: unknown
      })[]
      delegatedActors: ({
        id?: string
      } & {
        [key: string]: unknown
      })[]
      comments: {
        author: string | null
        text: string | null
        date: string | null
      }[]
      /** @description By their names, without a prefix */
      variables: {
        [key: string]: unknown
      }
      taskInfo?: {
        allowTaskReassignment: boolean
        taskActions: {
          name: string
          /** @description Where to PUT the task to complete it so */
          url: string
          label: string | null
          validate: boolean
        }[]
        layoutResource: {
          name: string
          url: string
        }
        schemas: {
          name: string
          url: string
        }[]
      }
    }
    Workflow: {
      /** @constant */
      'entity-type': 'workflow'
      id: string
      name: string
      title: string | null
      /** @description ready, running, done or canceled; of a model, validated */
      state: string
      workflowModelName: string
      /** @description The name of who started it; the user with `fetch.workflow: initiator` */
      initiator:
        | (string | null)
        | ({
            'entity-type': string
          } & {
            [key: string]: unknown
          })
      attachedDocumentIds: ({
        id?: string
      } & {
        [key: string]: unknown
      })[]
      /** @description By their names, without a prefix */
      variables: {
        [key: string]: unknown
      }
      graphResource: string
    }
    DocumentList: {
      /** @constant */
      'entity-type': 'documents'
      totalSize: number
      entries: components['schemas']['Document'][]
    }
    ShownAce: {
      /** @description `user:permission:granted:creator:begin:end`, by which operations replace and remove it */
      id: string
      /** @description The name, or with `fetch.acls` the user or group as an entity */
      username: unknown
      permission: string
      granted: boolean
      /** @description The name, or with `fetch.acls` the user or group as an entity */
      creator: unknown
      begin: string | null
      end: string | null
      /** @enum {string} */
      status: 'pending' | 'effective' | 'archived'
      externalUser: boolean
      /** @description With `fetch.acls: extended` */
      notify?: boolean
      /** @description With `fetch.acls: extended` */
      comment?: string | null
    }
    /** @description What the enrichers add that `enrichers.user` names */
    UserContextParameters: {
      userprofile?: {
        [key: string]: unknown
      } | null
      hasDefaultPassword?: boolean
    }
    /** @description A document that is not stored: what a form for a new one starts from */
    EmptyDocument: {
      /** @constant */
      'entity-type': 'document'
      repository: string
      uid: null
      /** @description Of a version, that of its live document, while there is one */
      path: string | null
      type: string
      state: null
      parentRef: string | null
      /** @description Whether it was changed since its last version */
      isCheckedOut: boolean
      isRecord: boolean
      retainUntil: string | null
      hasLegalHold: boolean
      isUnderRetentionOrLegalHold: boolean
      isVersion: boolean
      isProxy: boolean
      /** @description Of a proxy */
      proxyTargetId?: string | null
      /** @description Of a version or a proxy: the live document */
      versionableId?: string | null
      changeToken: null
      isTrashed: boolean
      title: string
      /** @description With `fetch.document: versionLabel` */
      versionLabel?: string
      /** @description With `fetch.document: lock`, of a locked one */
      lockOwner?: string
      /** Format: date-time */
      lockCreated?: string
      /** @description dc:modified */
      lastModified?: unknown
      /** @description Values by xpath, of the schemas that the header `properties` asks for */
      properties?: {
        [key: string]: unknown
      }
      facets: string[]
      schemas: {
        name: string
        prefix: string
      }[]
      contextParameters?: components['schemas']['DocumentContextParameters']
    }
    /** @description What went wrong, in a sentence that says what to change */
    Exception: {
      /** @constant */
      'entity-type': 'exception'
      status: number
      message: string
      /** @description Only where the server is set to show it */
      stacktrace?: string
      exception?: {
        className: string
        message: string
      }
    }
    OperationCall: {
      params?: {
        [key: string]: unknown
      } | null
      context?: {
        [key: string]: unknown
      } | null
      /** @description What to work on: `doc:` and an id or path, `docs:` and several, an entity, or any value */
      input?: unknown
      /** @description As the header X-NXDocumentProperties */
      documentProperties?: string
    } & {
      [key: string]: unknown
    }
    DocumentPage: {
      /** @constant */
      'entity-type': 'documents'
      isPaginable: boolean
      /** @description Of all pages; -2 when counting stopped at the limit, -1 when nothing was counted */
      resultsCount: number
      /** @description As asked for; 0 means no paging */
      pageSize: number
      /** @description Longer pages are cut; 0 means that they are not */
      maxPageSize: number
      /** @description Counting stops here; 0 means never */
      resultsCountLimit: number
      /** @description Entries of this page */
      currentPageSize: number
      /** @description Counted from 0 */
      currentPageIndex: number
      /** @description Entries before this page */
      currentPageOffset: number
      /** @description 0 when not everything was counted */
      numberOfPages: number
      isPreviousPageAvailable: boolean
      isNextPageAvailable: boolean
      isLastPageAvailable: boolean
      isSortable: boolean
      hasError: boolean
      errorMessage: string | null
      /** @description resultsCount */
      totalSize: number
      pageIndex: number
      pageCount: number
      /** @description By their ids, where the provider has some */
      aggregations?: {
        [key: string]: components['schemas']['Aggregate']
      }
      quickFilters?: {
        name: string
        active: boolean
      }[]
      entries: components['schemas']['Document'][]
    }
    Aggregate: {
      /** @constant */
      'entity-type': 'aggregate'
      id: string
      field: string
      properties: {
        [key: string]: string
      }
      ranges: {
        key: string
        from: number | null
        to: number | null
      }[]
      /** @description Keys that the client selected */
      selection: string[]
      type: string
      /** @description Of a number, such as a sum */
      value?: number | null
      buckets?: components['schemas']['Bucket'][]
      /** @description Selected keys without a bucket, then all buckets */
      extendedBuckets?: components['schemas']['Bucket'][]
    }
    /** @description How many documents have one value, or a value of one range */
    Bucket: {
      key: string
      /** @description What the key refers to, with `fetch.aggregate: key` */
      fetchedKey?: unknown
      docCount: number
      from?: (number | string) | null
      to?: (number | string) | null
      fromAsDate?: string | null
      toAsDate?: string | null
    }
    StringValue: {
      /** @constant */
      'entity-type': 'string'
      value: string
    }
    BooleanValue: {
      /** @constant */
      'entity-type': 'boolean'
      value: boolean
    }
    NumberValue: {
      /** @constant */
      'entity-type': 'number'
      value: number
    }
    DateValue: {
      /** @constant */
      'entity-type': 'date'
      /** Format: date-time */
      value: string
    }
    ListValue: {
      /** @constant */
      'entity-type': 'list'
      value: unknown[]
    }
    MapValue: {
      /** @constant */
      'entity-type': 'map'
      value: {
        [key: string]: unknown
      }
    }
    RecordSet: {
      /** @constant */
      'entity-type': 'recordSet'
      isPaginable: boolean
      /** @description Of all pages; -2 when counting stopped at the limit, -1 when nothing was counted */
      resultsCount: number
      /** @description As asked for; 0 means no paging */
      pageSize: number
      /** @description Longer pages are cut; 0 means that they are not */
      maxPageSize: number
      /** @description Entries of this page */
      currentPageSize: number
      /** @description Counted from 0 */
      currentPageIndex: number
      /** @description 0 when not everything was counted */
      numberOfPages: number
      isPreviousPageAvailable: boolean
      isNextPageAvailable: boolean
      isLastPageAvailable: boolean
      isSortable: boolean
      hasError: boolean
      errorMessage: string | null
      entries: {
        [key: string]: unknown
      }[]
    }
    BulkStatusValue: {
      /** @constant */
      'entity-type': 'bulkStatus'
      value: components['schemas']['BulkStatus']
    }
    BulkStatus: {
      /** @constant */
      'entity-type': 'bulkStatus'
      commandId: string
      /** @enum {string} */
      state: 'SCHEDULED' | 'SCROLLING_RUNNING' | 'RUNNING' | 'COMPLETED' | 'ABORTED'
      processed: number
      error: boolean
      errorCount: number
      errorMessage?: string
      /** @description Documents that were found */
      total: number
      action: string
      username: string
      /** Format: date-time */
      submitted: string
      scrollStart: string | null
      scrollEnd: string | null
      processingStart: string | null
      processingEnd: string | null
      completed: string | null
      processingMillis: number
      /** @description What was made of the documents, where the action makes something */
      result?: {
        [key: string]: unknown
      }
    }
    BusinessObject: {
      /** @description The name of the adapter */
      'entity-type': string
      value: unknown
    }
    Entity: {
      'entity-type': string
    } & {
      [key: string]: unknown
    }
    /** @description Why the properties of a document are not valid */
    ValidationReport: {
      /** @constant */
      'entity-type': 'validation_report'
      has_error: boolean
      number: number
      /** @description How many are not listed */
      message?: string
      violations: {
        message: string
        invalid_value: string | null
        constraint: components['schemas']['ValidationConstraint']
        path: {
          field_name: string
          is_list_item: boolean
          index?: number
        }[]
      }[]
    }
    ValidationConstraint: {
      /** @constant */
      'entity-type': 'validation_constraint'
      /** @description The type of the value, such as string, or a rule, such as LengthConstraint */
      name: string
      parameters: {
        [key: string]: string
      }
    }
    OperationRegistry: {
      paths: {
        login: string
      }
      codecs: string[]
      operations: components['schemas']['OperationDocumentation'][]
      chains: components['schemas']['OperationDocumentation'][]
    }
    OperationDocumentation: {
      id: string
      aliases?: string[]
      label: string
      category: string
      requires: string | null
      description: string | null
      since?: string
      url: string
      /** @description What goes in and what comes out, in turns */
      signature: string[]
      params: components['schemas']['OperationParameter'][]
    }
    OperationParameter: {
      name: string
      description: string | null
      type: string
      required: boolean
      widget: string | null
      order: number
      values: string[]
    }
    Login: {
      /** @constant */
      'entity-type': 'login'
      username: string
      isAdministrator: boolean
      groups: string[]
    }
    BusinessObjectList: {
      /** @constant */
      'entity-type': 'adapters'
      isPaginable?: boolean
      /** @description Of all pages; -2 when counting stopped at the limit, -1 when nothing was counted */
      resultsCount?: number
      /** @description As asked for; 0 means no paging */
      pageSize?: number
      /** @description Longer pages are cut; 0 means that they are not */
      maxPageSize?: number
      /** @description Counting stops here; 0 means never */
      resultsCountLimit?: number
      /** @description Entries of this page */
      currentPageSize?: number
      /** @description Counted from 0 */
      currentPageIndex?: number
      /** @description Entries before this page */
      currentPageOffset?: number
      /** @description 0 when not everything was counted */
      numberOfPages?: number
      isPreviousPageAvailable?: boolean
      isNextPageAvailable?: boolean
      isLastPageAvailable?: boolean
      isSortable?: boolean
      hasError?: boolean
      errorMessage?: string | null
      pageIndex?: number
      pageCount?: number
      totalSize: number
      entries: components['schemas']['BusinessObject'][]
    }
    /** @description What this server can do; plugins add further sections */
    Capabilities: {
      /** @constant */
      'entity-type': 'capabilities'
      cluster?: {
        enabled: boolean
        nodeId: string
      }
      repository?: {
        [key: string]: {
          queryBlobKeys: boolean
        }
      }
      server?: {
        distributionName: string
        distributionVersion: string
        distributionServer: string
      }
    } & {
      [key: string]: unknown
    }
    ListedFacet: {
      name: string
      schemas?: components['schemas']['ListedSchema'][]
    }
    ListedSchema: {
      name: string
      /** @description Empty when the schema declares none */
      '@prefix': string
      fields: components['schemas']['FieldDefinitions']
    }
    /** @description Fields by their names without the prefix */
    FieldDefinitions: {
      [key: string]:
        | string
        | {
            /** @description complex or complex[]; with fetch.schema=fields any type */
            type: string
            fields?: components['schemas']['FieldDefinitions']
            constraints?: components['schemas']['ValidationConstraint'][]
            itemConstraints?: components['schemas']['ValidationConstraint'][]
          }
    }
    Facet: {
      /** @constant */
      'entity-type': 'facet'
      name: string
      schemas?: components['schemas']['Schema'][]
    }
    Schema: {
      /** @constant */
      'entity-type': 'schema'
      name: string
      /** @description Absent where the name of the schema takes its place */
      prefix?: string
      /** @description Absent where the name of the schema takes its place */
      '@prefix'?: string
      fields: components['schemas']['FieldDefinitions']
    }
    Lifecycles: {
      /** @constant */
      'entity-type': 'lifecycles'
      entries: components['schemas']['Lifecycle'][]
    }
    Lifecycle: {
      name: string
      /** @description The state of a new document */
      initial: string
      states: {
        name: string
        /** @description Those that can be followed from there */
        transitions: {
          name: string
          /** @description The state that it leads to */
          destination: string
        }[]
      }[]
      /** @description Whose documents live so */
      types: string[]
    }
    DocumentType: {
      /** @constant */
      'entity-type': 'docType'
      name: string
      parent: string | null
      /** @description Those of the types it extends included */
      facets: string[]
      /** @description Those that its facets bring included */
      schemas: components['schemas']['Schema'][]
    }
    ConsolePieces: {
      /** @constant */
      'entity-type': 'consolePieces'
      /** @description Of what components are handed */
      apiVersion: number
      layouts: components['schemas']['ConsoleLayout'][]
      widgets: components['schemas']['ConsoleWidget'][]
      tabs: components['schemas']['ConsolePlacedComponent'][]
      actions: components['schemas']['ConsolePlacedComponent'][]
      pages: components['schemas']['ConsolePage'][]
    }
    ConsoleLayout: {
      plugin: string
      /** @description The type and those that extend it and have no layout of their own */
      types: string[]
      groups: {
        label: components['schemas']['ConsoleText']
        fields: {
          field: string
          label?: components['schemas']['ConsoleText']
          hint?: components['schemas']['ConsoleText']
          /** @enum {string} */
          width: 'full' | 'half' | 'third'
          /** @description Of the same plugin */
          widget?: string
          when?: components['schemas']['ConsoleCondition']
        }[]
        when?: components['schemas']['ConsoleCondition']
      }[]
      columns: {
        field: string
        /** @description Asked for in lists, so that they have it */
        schema: string
        label?: components['schemas']['ConsoleText']
        /** @description In pixels */
        width: number
        isSortable: boolean
      }[]
    }
    ConsoleText: {
      en: string
      fr: string
    }
    /** @description What has to hold of a document */
    ConsoleCondition:
      | {
          type: string | string[]
        }
      | {
          facet: string
        }
      | {
          state: string | string[]
        }
      | {
          permission: string
        }
      | {
          field: string
          is: (string | number | boolean | null) | (string | number | boolean | null)[]
        }
      | {
          field: string
          isSet: boolean
        }
      | {
          all: components['schemas']['ConsoleCondition'][]
        }
      | {
          any: components['schemas']['ConsoleCondition'][]
        }
      | {
          not: components['schemas']['ConsoleCondition']
        }
    ConsoleWidget: {
      plugin: string
      name: string
      /** @description Of the file, below the address of the server */
      address: string
      /** @description Of what it was made to be handed */
      apiVersion: number
    }
    ConsolePlacedComponent: {
      plugin: string
      name: string
      /** @description Of the file, below the address of the server */
      address: string
      /** @description Of what it was made to be handed */
      apiVersion: number
      label: components['schemas']['ConsoleText']
      when?: components['schemas']['ConsoleCondition']
    }
    ConsolePage: {
      plugin: string
      name: string
      /** @description Of the file, below the address of the server */
      address: string
      /** @description Of what it was made to be handed */
      apiVersion: number
      label: components['schemas']['ConsoleText']
    }
    ConversionStatus: {
      /** @constant */
      'entity-type': 'conversionStatus'
      conversionId: string
      /** @description `scheduled`, `running` or `completed` */
      status: string
      resultURL: string
    }
    Directories: {
      /** @constant */
      'entity-type': 'directories'
      entries: components['schemas']['Directory'][]
    }
    Directory: {
      /** @constant */
      'entity-type': 'directory'
      name: string
      /** @description What its entries are made of */
      schema: string
      idField: string
      parent: string | null
    }
    DirectoryEntryPage: {
      /** @constant */
      'entity-type': 'directoryEntries'
      isPaginable: boolean
      /** @description Of all pages; -2 when counting stopped at the limit, -1 when nothing was counted */
      resultsCount: number
      /** @description As asked for; 0 means no paging */
      pageSize: number
      /** @description Longer pages are cut; 0 means that they are not */
      maxPageSize: number
      /** @description Counting stops here; 0 means never */
      resultsCountLimit: number
      /** @description Entries of this page */
      currentPageSize: number
      /** @description Counted from 0 */
      currentPageIndex: number
      /** @description Entries before this page */
      currentPageOffset: number
      /** @description 0 when not everything was counted */
      numberOfPages: number
      isPreviousPageAvailable: boolean
      isNextPageAvailable: boolean
      isLastPageAvailable: boolean
      isSortable: boolean
      hasError: boolean
      errorMessage: string | null
      pageIndex: number
      pageCount: number
      entries: components['schemas']['DirectoryEntry'][]
    }
    DirectoryEntry: {
      /** @constant */
      'entity-type': 'directoryEntry'
      directoryName: string
      id: string
      /** @description By the fields of the directory; `parent` is an entry when fetched */
      properties: {
        [key: string]: unknown
      }
    }
    OpenApi: {
      openapi: string
    } & {
      [key: string]: unknown
    }
    /** @description Options of desktop clients, by their names */
    DesktopClientOptions: {
      [key: string]: unknown
    }
    LiveEvent: {
      /** @constant */
      'entity-type': 'event'
      /** @description Where the client goes on after it was disconnected: `Last-Event-ID`. It tells nothing else */
      id: string
      /**
       * @description What happened, such as `documentModified`
       * @example documentModified
       */
      event: string
      repository: string
      /** @description The document, as it was then; null for what happened to no document */
      documentId: string | null
      /** @description The folder that it was in; null for one without a place, such as a version */
      parentId: string | null
      /** @description Of `documentMoved`: the folder that it was in before, for those who may read that */
      previousParentId: string | null
      path: string | null
      type: string | null
      /** @description Who did it */
      principal: string
      /** Format: date-time */
      date: string
      /** @description That of the document after it */
      changeToken: string | null
    }
    GroupPage: {
      /** @constant */
      'entity-type': 'groups'
      isPaginable: boolean
      /** @description Of all pages; -2 when counting stopped at the limit, -1 when nothing was counted */
      resultsCount: number
      /** @description As asked for; 0 means no paging */
      pageSize: number
      /** @description Longer pages are cut; 0 means that they are not */
      maxPageSize: number
      /** @description Counting stops here; 0 means never */
      resultsCountLimit: number
      /** @description Entries of this page */
      currentPageSize: number
      /** @description Counted from 0 */
      currentPageIndex: number
      /** @description Entries before this page */
      currentPageOffset: number
      /** @description 0 when not everything was counted */
      numberOfPages: number
      isPreviousPageAvailable: boolean
      isNextPageAvailable: boolean
      isLastPageAvailable: boolean
      isSortable: boolean
      hasError: boolean
      errorMessage: string | null
      pageIndex: number
      pageCount: number
      entries: components['schemas']['Group'][]
    }
    Group: {
      /** @constant */
      'entity-type': 'group'
      groupname: string
      grouplabel: string | null
      id: string
      /** @description By the fields of the group directory */
      properties: {
        [key: string]: unknown
      }
      /** @description With `fetch.group` */
      memberUsers?: string[]
      /** @description With `fetch.group` */
      memberGroups?: string[]
      /** @description With `fetch.group` */
      parentGroups?: string[]
    }
    UserPage: {
      /** @constant */
      'entity-type': 'users'
      isPaginable: boolean
      /** @description Of all pages; -2 when counting stopped at the limit, -1 when nothing was counted */
      resultsCount: number
      /** @description As asked for; 0 means no paging */
      pageSize: number
      /** @description Longer pages are cut; 0 means that they are not */
      maxPageSize: number
      /** @description Counting stops here; 0 means never */
      resultsCountLimit: number
      /** @description Entries of this page */
      currentPageSize: number
      /** @description Counted from 0 */
      currentPageIndex: number
      /** @description Entries before this page */
      currentPageOffset: number
      /** @description 0 when not everything was counted */
      numberOfPages: number
      isPreviousPageAvailable: boolean
      isNextPageAvailable: boolean
      isLastPageAvailable: boolean
      isSortable: boolean
      hasError: boolean
      errorMessage: string | null
      pageIndex: number
      pageCount: number
      entries: components['schemas']['User'][]
    }
    User: {
      /** @constant */
      'entity-type': 'user'
      id: string
      /** @description Shown without its groups, inside of another entity */
      isPartial?: boolean
      /** @description By the fields of the user directory, but for the password */
      properties: {
        [key: string]: unknown
      }
      /** @description All groups, also through other groups */
      extendedGroups: {
        name: string
        label: string
        url: string
      }[]
      isAdministrator: boolean
      isAnonymous: boolean
      contextParameters?: components['schemas']['UserContextParameters']
    }
    Acls: {
      /** @constant */
      'entity-type': 'acls'
      acl: {
        /** @description `local`, `inherited` … */
        name: string
        ace: components['schemas']['Ace'][]
      }[]
    }
    Ace: {
      /** @description `user:permission:granted:creator:begin:end`, by which operations replace and remove it */
      id: string
      /** @description A user or a group */
      username: string
      permission: string
      granted: boolean
      creator: string | null
      begin: string | null
      end: string | null
      /** @enum {string} */
      status: 'pending' | 'effective' | 'archived'
    }
    Annotations: {
      /** @constant */
      'entity-type': 'annotations'
      entries: components['schemas']['Annotation'][]
    }
    Annotation: {
      /** @constant */
      'entity-type': 'annotation'
      id: string
      parentId: string | null
      /** @description What it is about, directly and in the end */
      ancestorIds: string[]
      author: string | null
      text: string | null
      creationDate: string | null
      modificationDate: string | null
      /** @description What another system calls it */
      entityId: string | null
      /** @description That system */
      origin: string | null
      /** @description What that system says of it */
      entity: string | null
      /** @description Of the caller, on the document that it is about in the end */
      permissions: string[]
      /** @description With `fetch.comment: repliesSummary` */
      numberOfReplies?: number
      /**
       * Format: date-time
       * @description With `fetch.comment: repliesSummary`, where there are any
       */
      lastReplyDate?: string
      xpath: string | null
      documentId: string | null
    }
    Comments: {
      /** @constant */
      'entity-type': 'comments'
      totalSize: number
      entries: components['schemas']['Comment'][]
    }
    Comment: {
      /** @constant */
      'entity-type': 'comment'
      id: string
      parentId: string | null
      /** @description What it is about, directly and in the end */
      ancestorIds: string[]
      author: string | null
      text: string | null
      creationDate: string | null
      modificationDate: string | null
      /** @description What another system calls it */
      entityId: string | null
      /** @description That system */
      origin: string | null
      /** @description What that system says of it */
      entity: string | null
      /** @description Of the caller, on the document that it is about in the end */
      permissions: string[]
      /** @description With `fetch.comment: repliesSummary` */
      numberOfReplies?: number
      /**
       * Format: date-time
       * @description With `fetch.comment: repliesSummary`, where there are any
       */
      lastReplyDate?: string
    }
    LogEntries: {
      /** @constant */
      'entity-type': 'logEntries'
      isPaginable: boolean
      /** @description Of all pages; -2 when counting stopped at the limit, -1 when nothing was counted */
      resultsCount: number
      /** @description As asked for; 0 means no paging */
      pageSize: number
      /** @description Longer pages are cut; 0 means that they are not */
      maxPageSize: number
      /** @description Counting stops here; 0 means never */
      resultsCountLimit: number
      /** @description Entries of this page */
      currentPageSize: number
      /** @description Counted from 0 */
      currentPageIndex: number
      /** @description Entries before this page */
      currentPageOffset: number
      /** @description 0 when not everything was counted */
      numberOfPages: number
      isPreviousPageAvailable: boolean
      isNextPageAvailable: boolean
      isLastPageAvailable: boolean
      isSortable: boolean
      hasError: boolean
      errorMessage: string | null
      pageIndex: number
      pageCount: number
      entries: components['schemas']['LogEntry'][]
    }
    ConversionScheduled: {
      /** @constant */
      'entity-type': 'conversionScheduled'
      conversionId: string
      /** @description Where to ask how far it is */
      pollingURL: string
      /** @description Where the result will be */
      resultURL: string
    }
    EntityPage: {
      'entity-type': string
      isPaginable: boolean
      /** @description Of all pages; -2 when counting stopped at the limit, -1 when nothing was counted */
      resultsCount: number
      /** @description As asked for; 0 means no paging */
      pageSize: number
      /** @description Longer pages are cut; 0 means that they are not */
      maxPageSize: number
      /** @description Counting stops here; 0 means never */
      resultsCountLimit: number
      /** @description Entries of this page */
      currentPageSize: number
      /** @description Counted from 0 */
      currentPageIndex: number
      /** @description Entries before this page */
      currentPageOffset: number
      /** @description 0 when not everything was counted */
      numberOfPages: number
      isPreviousPageAvailable: boolean
      isNextPageAvailable: boolean
      isLastPageAvailable: boolean
      isSortable: boolean
      hasError: boolean
      errorMessage: string | null
      /** @description resultsCount, where the list is one of `documents` */
      totalSize?: number
      pageIndex: number
      pageCount: number
      entries: components['schemas']['Entity'][]
    }
    Tasks: {
      /** @constant */
      'entity-type': 'tasks'
      isPaginable: boolean
      /** @description Of all pages; -2 when counting stopped at the limit, -1 when nothing was counted */
      resultsCount: number
      /** @description As asked for; 0 means no paging */
      pageSize: number
      /** @description Longer pages are cut; 0 means that they are not */
      maxPageSize: number
      /** @description Counting stops here; 0 means never */
      resultsCountLimit: number
      /** @description Entries of this page */
      currentPageSize: number
      /** @description Counted from 0 */
      currentPageIndex: number
      /** @description Entries before this page */
      currentPageOffset: number
      /** @description 0 when not everything was counted */
      numberOfPages: number
      isPreviousPageAvailable: boolean
      isNextPageAvailable: boolean
      isLastPageAvailable: boolean
      isSortable: boolean
      hasError: boolean
      errorMessage: string | null
      pageIndex: number
      pageCount: number
      entries: components['schemas']['Task'][]
    }
    Workflows: {
      /** @constant */
      'entity-type': 'workflows'
      entries: components['schemas']['Workflow'][]
    }
    AuditCounts: {
      /** @constant */
      'entity-type': 'auditCounts'
      /** Format: date-time */
      from: string
      /** Format: date-time */
      to: string
      total: number
      /** @description Days of UTC that have rows, the first one first */
      days: {
        /** Format: date */
        day: string
        count: number
      }[]
      /** @description The 100 most frequent, the most frequent first */
      events: {
        eventId: string
        count: number
      }[]
    }
    BulkStatuses: {
      /** @constant */
      'entity-type': 'bulkStatuses'
      entries: components['schemas']['BulkStatus'][]
    }
    Configuration: {
      /** @constant */
      'entity-type': 'configuration'
      /** @description Values by the names of properties */
      configuration: {
        [key: string]: unknown
      }
      entries: {
        /** @description In `quire.config.ts` */
        name: string
        /** @description On the command line */
        flag: string
        /** @description In the environment */
        variable: string
        property: string | null
        type: string
        help: string
        /** @description Sizes are bytes, durations milliseconds; secrets are masked; null where it is not set */
        value: unknown
        origin: string | null
      }[]
    }
    Vocabularies: {
      /** @constant */
      'entity-type': 'vocabularies'
      entries: components['schemas']['Vocabulary'][]
    }
    Vocabulary: {
      name: string
      /** @description What its entries are made of */
      schema: string
      fields: {
        name: string
        /** @description `string`, `long`, `boolean`, … */
        type: string
      }[]
      idField: string
      parent: string | null
      /** @description False where the configuration made it read-only */
      isEditable: boolean
      /** @description Of its entries */
      count: number
    }
    ImportedEntries: {
      /** @constant */
      'entity-type': 'importedEntries'
      created: number
      updated: number
      /** @description They were there, and stay as they are */
      unchanged: number
    }
    Distribution: {
      /** @constant */
      'entity-type': 'distribution'
      applicationName: string
      /** @description Of this program */
      applicationVersion: string
      /** @description Of the API that it speaks */
      distributionVersion: string
      runtime: {
        node: string
        system: string
        sqlite: string
      }
      repositories: {
        name: string
        engine: string
      }[]
      /**
       * Format: date-time
       * @description When this process began
       */
      started: string
    }
    Jobs: {
      /** @constant */
      'entity-type': 'jobs'
      /** @description All that are due or running, shown or not */
      pending: number
      /** @description All that were given up */
      parked: number
      /** @description All that fit what is asked for, of which a page is shown */
      resultsCount: number
      entries: components['schemas']['Job'][]
    }
    Job: {
      /** @constant */
      'entity-type': 'job'
      repository: string
      id: string
      kind: string
      /**
       * @description `parked` ones were given up
       * @enum {string}
       */
      state: 'waiting' | 'running' | 'parked'
      owner: string | null
      attempts: number
      /** Format: date-time */
      runAfter: string
      error: string | null
    }
    DeadLetters: {
      total: number
      entries: components['schemas']['DeadLetter'][]
    }
    DeadLetter: {
      repository: string
      id: string
      template: string | null
      /** @description Addresses, and users by user:name */
      to: string[]
      subject: string | null
      documentId: string | null
      /** @description Who caused it */
      actor: string
      attempts: number
      /** @description Why the last attempt failed */
      error: string
    }
    MaintenanceTasks: {
      /** @constant */
      'entity-type': 'maintenanceTasks'
      entries: components['schemas']['MaintenanceTask'][]
    }
    MaintenanceTask: {
      /** @constant */
      'entity-type': 'maintenanceTask'
      name: string
      /** @enum {string} */
      state: 'never' | 'waiting' | 'running' | 'done' | 'failed' | 'stopped'
      asked: string | null
      by: string | null
      ended: string | null
      /** @description Steps that were done */
      done: number
      /** @description Of so many, as far as was known when it began */
      total: number
      problem: string | null
      /** @description What came out so far, which depends on the task */
      outcome: {
        [key: string]: unknown
      }
    }
    Memberships: {
      /** @constant */
      'entity-type': 'memberships'
      user: string
      entries: components['schemas']['Membership'][]
    }
    Membership: {
      group: string
      label: string
      /**
       * @description Listed in the group, given by the configuration, or in it through other groups
       * @enum {string}
       */
      reason: 'listed' | 'configured' | 'nested'
      /** @description The groups on the way, from the one that the user is in by itself */
      through: string[]
    }
    Metrics: {
      /** @constant */
      'entity-type': 'metrics'
      entries: {
        name: string
        help: string
        /** @description `gauge`, `counter` or `histogram` */
        type: string
        values: {
          value: number
          /** @description What tells it from others of the name */
          labels: {
            [key: string]: unknown
          }
          /** @description Of a histogram, which of its parts */
          metricName?: string
        }[]
      }[]
    }
    AdministeredEndpoints: {
      /** @constant */
      'entity-type': 'notificationEndpoints'
      /** @description All that there are, of which a page is shown */
      resultsCount: number
      entries: components['schemas']['AdministeredEndpoint'][]
    }
    AdministeredEndpoint: {
      /** @constant */
      'entity-type': 'notificationEndpoint'
      id: string
      project: string
      region: string
      name: string
      description: string | null
      /** @description Where it is: host and port */
      endpoint: string
      /** Format: date-time */
      created: string
      /** @description What the setting notification-subscriptions has it told; none: nothing */
      events: string[]
      /** @description Whether it is sent events: delivery is on, and it is subscribed */
      isDelivered: boolean
      /** @description Events that wait; at most 10000 are counted */
      queued: number
      delivered: number
      /** @description Events that were given up */
      failed: number
      lastAttempt: string | null
      lastError: string | null
      /** @description The last ones, the newest first */
      attempts: components['schemas']['DeliveryAttempt'][]
    }
    DeliveryAttempt: {
      /** Format: date-time */
      date: string
      event: string
      documentId: string
      /** @enum {string} */
      outcome: 'delivered' | 'unavailable' | 'refused'
      error: string | null
      milliseconds: number
      repository: string
      position: number | null
      next: string | null
    }
    OAuth2Grants: {
      /** @constant */
      'entity-type': 'oauth2Grants'
      /** @description All that there are, of which a page is shown */
      resultsCount: number
      entries: components['schemas']['OAuth2Grant'][]
    }
    OAuth2Grant: {
      /** @constant */
      'entity-type': 'oauth2Grant'
      /** @description Names the token; it opens nothing */
      id: string
      username: string | null
      clientId: string | null
      serviceName: string | null
      serviceLogin: string | null
      creationDate: string | null
    }
    PermissionHolders: {
      /** @constant */
      'entity-type': 'permissionHolders'
      place: components['schemas']['PermissionPlace']
      permission: string
      /** @description Of those who are looked at, of which this is a page */
      resultsCount: number
      entries: components['schemas']['PermissionHolder'][]
    }
    PermissionPlace: {
      uid: string
      path: string | null
      title: string
      type: string
    }
    PermissionHolder: {
      name: string
      /** @enum {string} */
      kind: 'user' | 'group' | 'everyone' | 'unknown'
      label: string
      /** @description What a check of the permission answers now */
      isGranted: boolean
      /** @description May do everything, without any entry */
      isAdministrator: boolean
      /** @description The entry that decides; null where none does, or something else did */
      reason: components['schemas']['PermissionReason'] | null
    }
    PermissionReason: {
      ace: components['schemas']['Ace']
      acl: string | null
      /** @description The document that has the entry, itself or one above; null for a version */
      place: components['schemas']['PermissionPlace'] | null
    }
    GrantedPlaces: {
      /** @constant */
      'entity-type': 'grantedPlaces'
      name: string
      label: string
      /** @enum {string} */
      kind: 'user' | 'group' | 'everyone'
      /** @description May do everything everywhere, without any entry */
      isAdministrator: boolean
      /** @description By which entries concern it: its own, those of its groups, and Everyone */
      names: string[]
      /** @description Of all pages; one more than 10,000 where there are more */
      resultsCount: number
      entries: components['schemas']['GrantedPlace'][]
    }
    GrantedPlace: {
      place: components['schemas']['PermissionPlace']
      /** @description What a check of Read answers now */
      canRead: boolean
      /** @description Entries of the document itself that concern the user or group */
      aces: components['schemas']['Ace'][]
    }
    ProbeList: {
      /** @constant */
      'entity-type': 'probes'
      entries: components['schemas']['Probe'][]
    }
    /** @description What one health check has shown since the start of the server */
    Probe: {
      /** @constant */
      'entity-type': 'probe'
      name: string
      status: {
        /** @constant */
        'entity-type': 'probeStatus'
        neverExecuted: boolean
        success: boolean
        infos: {
          /** @description `ok`, or what is wrong */
          info: string
        }
      }
      history: {
        /** Format: date-time */
        lastRun: string
        /** Format: date-time */
        lastSuccess: string
        /** Format: date-time */
        lastFail: string
      }
      counts: {
        run: number
        success: number
        failure: number
      }
      /** @description Milliseconds that the last run took */
      time: number
    }
    SessionPage: {
      /** @constant */
      'entity-type': 'sessionPage'
      /** @description All that are in use, of which a page is shown */
      resultsCount: number
      entries: {
        session: components['schemas']['Session']
        /** @description False: it is refused, as its user is gone or has another password */
        isValid: boolean
      }[]
    }
    Session: {
      /** @constant */
      'entity-type': 'session'
      /** @description Names the session; it opens nothing */
      id: string
      username: string
      /** @description What let the user in, such as `FORM_AUTH` */
      authenticator: string
      /** Format: date-time */
      creationDate: string
      /**
       * Format: date-time
       * @description The last use, to a tenth of the time-out
       */
      lastSeen: string
      /** @description Where the session was begun */
      address: string
      /** @description The browser in which it was begun, as that says */
      userAgent: string
      /** @description Whether the request itself is of this session */
      isCurrent: boolean
    }
    Storage: {
      /** @constant */
      'entity-type': 'storage'
      measured: string | null
      /** @description New figures are being counted */
      isMeasuring: boolean
      /** @description With versions and proxies */
      documents: number
      /** @description Each counted once, for the first document that has it */
      files: number
      /** @description Of these files */
      bytes: number
      /** @description The most bytes first, at most 100 */
      types: {
        name: string
        /** @description With versions and proxies */
        documents: number
        /** @description Each counted once, for the first document that has it */
        files: number
        /** @description Of these files */
        bytes: number
      }[]
      /** @description By who created the documents; the most bytes first, at most 100 */
      people: {
        name: string
        /** @description With versions and proxies */
        documents: number
        /** @description Each counted once, for the first document that has it */
        files: number
        /** @description Of these files */
        bytes: number
      }[]
      /** @description By when the documents were created, the first month first, at most the last 120 */
      months: {
        month: string
        /** @description With versions and proxies */
        documents: number
        /** @description Each counted once, for the first document that has it */
        files: number
        /** @description Of these files */
        bytes: number
      }[]
    }
    AuthenticationTokens: {
      /** @constant */
      'entity-type': 'authenticationTokens'
      /** @description All that there are, of which a page is shown */
      resultsCount: number
      entries: components['schemas']['AuthenticationToken'][]
    }
    AuthenticationToken: {
      /** @constant */
      'entity-type': 'authenticationToken'
      /** @description Names the token; it opens nothing */
      digest: string
      username: string
      application: string
      deviceId: string
      deviceDescription: string | null
      permission: string
      /** Format: date-time */
      creationDate: string
    }
    WorkflowInstances: {
      /** @constant */
      'entity-type': 'workflowInstances'
      isPaginable: boolean
      /** @description Of all pages; -2 when counting stopped at the limit, -1 when nothing was counted */
      resultsCount: number
      /** @description As asked for; 0 means no paging */
      pageSize: number
      /** @description Longer pages are cut; 0 means that they are not */
      maxPageSize: number
      /** @description Counting stops here; 0 means never */
      resultsCountLimit: number
      /** @description Entries of this page */
      currentPageSize: number
      /** @description Counted from 0 */
      currentPageIndex: number
      /** @description Entries before this page */
      currentPageOffset: number
      /** @description 0 when not everything was counted */
      numberOfPages: number
      isPreviousPageAvailable: boolean
      isNextPageAvailable: boolean
      isLastPageAvailable: boolean
      isSortable: boolean
      hasError: boolean
      errorMessage: string | null
      entries: components['schemas']['WorkflowInstance'][]
    }
    WorkflowInstance: {
      /** @constant */
      'entity-type': 'workflowInstance'
      workflow: components['schemas']['Workflow']
      started: string | null
      /** @description How many wait to be done; of one that is over, none */
      openTasks: number
      /** @description Why it will not go on by itself, or is late */
      hindrances: {
        /**
         * @description Of a task: nobody whom it is for exists any more, or it is late. `nothing`: no task and no other workflow is waited for
         * @enum {string}
         */
        reason: 'nobody' | 'overdue' | 'nothing'
        task: string | null
        taskName: string | null
        dueDate: string | null
      }[]
    }
    StuckWorkflows: {
      /** @constant */
      'entity-type': 'stuckWorkflows'
      /** @description How many that are under way were looked at */
      looked: number
      next: string | null
      entries: components['schemas']['WorkflowInstance'][]
    }
    Notifications: {
      /** @constant */
      'entity-type': 'notifications'
      /** @description Of those that are shown */
      unreadCount: number
      entries: components['schemas']['Notification'][]
    }
    Notification: {
      /** @constant */
      'entity-type': 'notification'
      /** @description Grows with time */
      id: number
      /** @description What happened, such as `commentAdded` */
      event: string
      documentId: string
      /** @description Of the document, as it is now */
      title: string
      path: string | null
      type: string
      /** @description Who did it */
      principal: string
      /** Format: date-time */
      date: string
      /** @description What was said with it */
      comment: string
      isRead: boolean
    }
    NotificationPreferences: {
      /** @constant */
      'entity-type': 'notificationPreferences'
      /**
       * @description How often notifications are mailed; default: as the server has it
       * @enum {string}
       */
      digest: 'default' | 'immediate' | 'hourly' | 'daily' | 'weekly'
      /** @description How long notifications are collected for one mail; 0: each is mailed at once */
      digestSeconds: number
    }
    OAuth2Clients: {
      /** @constant */
      'entity-type': 'oauth2Clients'
      entries: components['schemas']['OAuth2Client'][]
    }
    OAuth2Client: {
      /** @constant */
      'entity-type': 'oauth2Client'
      name: string
      /** @description The client_id that the program sends */
      id: string
      isEnabled: boolean
      redirectURIs?: string[]
      secret?: string | null
      /** @description Users are not asked */
      isAutoGrant?: boolean
    }
    OAuth2ServiceProviders: {
      'entity-type': string
      entries: components['schemas']['OAuth2ServiceProvider'][]
    }
    OAuth2ServiceProvider: {
      'entity-type': string
      serviceName: string
      description: string | null
      clientId: string | null
      clientSecret: string | null
      authorizationServerURL: string | null
      tokenServerURL: string | null
      userAuthorizationURL: string | null
      scopes: string[]
      isEnabled: boolean
      /** @description Enabled, and this server is known there */
      isAvailable: boolean
      authorizationURL: string | null
      /** @description The caller has */
      isAuthorized: boolean
      userId: string | null
    }
    OAuth2ProviderAccessToken: {
      token: string
    }
    StoredOAuth2Tokens: {
      'entity-type': string
      entries: components['schemas']['StoredOAuth2Token'][]
    }
    StoredOAuth2Token: {
      'entity-type': string
      serviceName: string | null
      serviceLogin: string | null
      clientId: string | null
      /** @description What the program is called, among the caller's own tokens */
      clientName?: string
      isShared: boolean
      sharedWith: string[]
      creationDate: string | null
    } & {
      [key: string]: unknown
    }
    PageProviderDefinition: {
      name: string
      enabled: boolean
      properties: {
        [key: string]: string
      }
      queryParameters: string[]
      pattern: string | null
      quotePatternParameters: boolean
      escapePatternParameters: boolean
      searchDocumentType: string | null
      whereClause: {
        docType: string | null
        fixedPart: string | null
        selectStatement: string | null
        quoteFixedPartParameters: boolean
        escapeFixedPartParameters: boolean
        escaperClass: null
        predicates: {
          parameter: string
          /** @enum {string} */
          type: 'atomic' | 'subClause'
          operator: string | null
          operatorField: string | null
          operatorSchema: string | null
          hint: string | null
          values: {
            name: string | null
            schema: string | null
            xpath: string | null
          }[]
        }[]
      } | null
      quickFilters: {
        name: string
        clause: string
        sortInfos: {
          sortColumn: string
          sortAscending: boolean
        }[]
      }[]
      aggregates: {
        id: string
        type: string
        documentField: string
        searchField: {
          name: string | null
          schema: string | null
          xpath: string | null
        }
        properties: {
          [key: string]: string
        }
        ranges: {
          key: string
          from: number | null
          to: number | null
        }[]
        dateRanges: {
          key: string
          fromAsString: string | null
          toAsString: string | null
        }[]
        aggregateRangeDefinitionOrderMap: {
          [key: string]: number
        }
        aggregateDateRangeDefinitionOrderMap: {
          [key: string]: number
        }
      }[]
      sortable: boolean
      sortInfos: {
        sortColumn: string
        sortAscending: boolean
      }[]
      sortInfosBinding: string | null
      pageSize: number
      pageSizeBinding: string | null
      pageSizeOptions: number[]
      maxPageSize: number | null
      usageTrackingEnabled: boolean
    }
    SavedSearches: {
      /** @constant */
      'entity-type': 'savedSearches'
      entries: components['schemas']['SavedSearch'][]
    }
    SavedSearch: {
      /** @constant */
      'entity-type': 'savedSearch'
      id: string
      title: string
      queryParams: string | null
      query: string | null
      queryLanguage: string | null
      pageProviderName: string | null
      pageSize: string | null
      currentPageIndex: string | null
      maxResults: string | null
      sortBy: string | null
      sortOrder: string | null
      contentViewData: string | null
      /** @description Named parameters, and what of the schemas asked for is filled in */
      params: {
        [key: string]: unknown
      }
    }
    Sessions: {
      /** @constant */
      'entity-type': 'sessions'
      entries: components['schemas']['Session'][]
    }
    Tokens: {
      /** @constant */
      'entity-type': 'tokens'
      entries: components['schemas']['Token'][]
    }
    Token: {
      /** @constant */
      'entity-type': 'token'
      /** @description The token; its digest once the secret that made it is gone */
      id: string
      username: string
      application: string
      deviceId: string
      deviceDescription: string | null
      permission: string
      /** Format: date-time */
      creationDate: string
    }
    UploadBatchId: {
      batchId: string
    }
    UploadHandler: {
      name: string
    }
    UploadBatch: {
      /** @description The handler of the batch */
      provider: string
      batchId: string
      fileEntries: components['schemas']['UploadedFile'][]
    }
    UploadedFile: {
      name: string | null
      /** @description Bytes; of a chunked file what X-File-Size said */
      size: number
      /** @enum {string} */
      uploadType: 'normal' | 'chunked'
      /** @description Chunks that are here; only of a chunked file */
      uploadedChunkIds?: number[]
      /** @description Only of a chunked file */
      chunkCount?: number
    }
    Upload: {
      /** @constant */
      uploaded: 'true'
      batchId: string
      fileIdx: string
      /** @enum {string} */
      uploadType: 'normal' | 'chunked'
      /** @description Bytes that this request brought */
      uploadedSize: string
      /** @description Chunks that are here; only of a chunked file */
      uploadedChunkIds?: number[]
      /** @description Only of a chunked file */
      chunkCount?: number
    }
    UploadCompletion: {
      fileSize?: number
      mimeType?: string | null
      /** @description The digest that the server shows of the file */
      md5?: string
      /** @description Not looked at */
      key?: string
      /** @description Not looked at */
      name?: string
    }
    CompletedUpload: {
      /** @constant */
      uploaded: 'true'
      batchId: string
      fileIdx: string
    }
    Webhooks: {
      /** @constant */
      'entity-type': 'webhooks'
      entries: components['schemas']['Webhook'][]
    }
    Webhook: {
      /** @constant */
      'entity-type': 'webhook'
      id: string
      url: string
      description: string
      events: string[]
      isEnabled: boolean
      creator: string
      /** Format: date-time */
      created: string
      /** @description Events that wait; at most 10000 are counted */
      queued: number
      delivered: number
      /** @description Events that were given up */
      failed: number
      lastAttempt: string | null
      lastError: string | null
      /** @description The last ones, the newest first */
      attempts: components['schemas']['DeliveryAttempt'][]
      /** @description What requests are signed with; shown when it is made, and never again */
      secret?: string
    }
    WorkflowGraph: {
      /** @constant */
      'entity-type': 'graph'
      nodes: {
        id: string
        /** @description In the language of the caller */
        title: string
        state: string
        x: number
        y: number
        isStartNode: boolean
        isEndNode: boolean
        startNode: boolean
        endNode: boolean
        isMerge: boolean
        isMultiTask: boolean
        hasSubWorkflow: boolean
        isForkNode: boolean
      }[]
      transitions: {
        nodeSourceId: string
        nodeTargetId: string
        label: string
        path: {
          x: number
          y: number
        }[]
      }[]
    }
    /** @description The whole, and `ok` or the code of what is wrong by the names of probes */
    Readiness: {
      /** @enum {string} */
      status: 'ok' | 'failed'
      probes: {
        [key: string]: string
      }
    }
    RepositoryInfo: {
      repositoryId: string
      repositoryName: string
      repositoryDescription: string
      vendorName: string
      productName: string
      productVersion: string
      rootFolderId: string | null
      cmisVersionSupported: string
      latestChangeLogToken: string
      changesIncomplete: boolean
    }
    DownloadStatus: {
      key: string
      /** @description Whether it can be fetched, or the reason why it failed */
      completed: boolean
      /** @description 0 to 100; -1 when nobody knows */
      progress: number
    }
    OAuth2AccessToken: {
      /** @description 32 letters and digits */
      access_token: string
      /** @description 64 letters and digits */
      refresh_token: string
      /** @constant */
      token_type: 'bearer'
      /** @description Seconds */
      expires_in: number
    }
    OAuth2Error: {
      error: string
      error_description: string
    }
    /** @description `ok` or `failed` by the names of probes */
    Probes: {
      /** @description Why, of those that failed */
      reasons?: {
        [key: string]: string
      }
    } & {
      [key: string]: unknown
    }
    AnalyticsAnswer: {
      /** @description Milliseconds */
      took: number
      timed_out: boolean
      _shards: {
        total: number
        successful: number
        skipped: number
        failed: number
      }
      hits: {
        total: number
        max_score: number | null
        hits: {
          _index: string
          _type: string
          _id: string
          _score: number | null
          /** @description A document or a row, by the names of its fields */
          _source?: {
            [key: string]: unknown
          }
        }[]
      }
      /** @description By the names under which they were asked for */
      aggregations?: {
        [key: string]: unknown
      }
    }
  }
  responses: never
  parameters: {
    /**
     * @description Schemas whose properties are shown, or `*` for all. Also called X-NXproperties, X-NXDocumentProperties
     * @example dublincore
     */
    properties: string[]
    /**
     * @description Schemas whose properties are shown, or `*` for all. Also called X-NXproperties, X-NXDocumentProperties
     * @example dublincore
     */
    'properties.query': string[]
    /**
     * @description What to add below `contextParameters`. Also called enrichers-document, X-NXenrichers.document, X-NXenrichers-document, X-NXContext-Category
     * @example breadcrumb
     */
    'enrichers.document': string[]
    /**
     * @description What to add below `contextParameters`. Also called enrichers-document, X-NXenrichers.document, X-NXenrichers-document, X-NXContext-Category
     * @example breadcrumb
     */
    'enrichers.document.query': string[]
    /** @description Properties whose references are shown as entities, and parts that are left out otherwise. Also called fetch-document, X-NXfetch.document, X-NXfetch-document */
    'fetch.document': string[]
    /** @description Properties whose references are shown as entities, and parts that are left out otherwise. Also called fetch-document, X-NXfetch.document, X-NXfetch-document */
    'fetch.document.query': string[]
    /** @description What to add to files. Also called enrichers-blob, X-NXenrichers.blob, X-NXenrichers-blob */
    'enrichers.blob': string[]
    /** @description What to add to files. Also called enrichers-blob, X-NXenrichers.blob, X-NXenrichers-blob */
    'enrichers.blob.query': string[]
    /** @description What the enricher `acls` shows in full: `username`, `creator`, `extended`. Also called fetch-acls, X-NXfetch.acls, X-NXfetch-acls */
    'fetch.acls': string[]
    /** @description What the enricher `acls` shows in full: `username`, `creator`, `extended`. Also called fetch-acls, X-NXfetch.acls, X-NXfetch-acls */
    'fetch.acls.query': string[]
    /** @description `parent` shows the entry above as an entity. Also called fetch-directoryEntry, X-NXfetch.directoryEntry, X-NXfetch-directoryEntry */
    'fetch.directoryEntry': string[]
    /** @description `parent` shows the entry above as an entity. Also called fetch-directoryEntry, X-NXfetch.directoryEntry, X-NXfetch-directoryEntry */
    'fetch.directoryEntry.query': string[]
    /** @description Fields of entries whose labels are translated, as Accept-Language says. Also called translate-directoryEntry, X-NXtranslate.directoryEntry, X-NXtranslate-directoryEntry */
    'translate.directoryEntry': string[]
    /** @description Fields of entries whose labels are translated, as Accept-Language says. Also called translate-directoryEntry, X-NXtranslate.directoryEntry, X-NXtranslate-directoryEntry */
    'translate.directoryEntry.query': string[]
    /** @description How deep entities are shown in one another; `root` unless told */
    depth: 'root' | 'children' | 'max'
    /** @description How deep entities are shown in one another; `root` unless told */
    'depth.query': 'root' | 'children' | 'max'
    /** @description The languages of messages and labels, best first */
    'Accept-Language': string
    /**
     * @description The repository, unless the path names one
     * @example default
     */
    'X-NXRepository': string
    /** @description Answers 204 whatever the operation gives */
    'X-NXVoidOperation': boolean
    /** @description Upload batches that the body names stay */
    'X-Batch-No-Drop': boolean
    /** @description Aggregates are not computed */
    SkipAggregates: boolean
    /** @description Seconds that the transaction may take */
    'Platform-Transaction-Timeout': number
    /** @description A request with the same key is answered as the first was, and not carried out again */
    'Idempotency-Key': string
    /**
     * @description Which bytes to send
     * @example bytes=0-999
     */
    Range: string
    /** @description The ETag of which those bytes are; all are sent if it is another by now */
    'If-Range': string
    /** @description ETags that the client has: they are not sent again */
    'If-None-Match': string
    /** @description The Last-Modified of what the client has, which is not sent again while it is that */
    'If-Modified-Since': string
    /** @description ETags, of which it must have one */
    'If-Match': string
    /** @description A date; what has changed since is refused */
    'If-Unmodified-Since': string
    /**
     * @description Digests to send along: that of the file by its algorithm, `contentMD5`
     * @example md5
     */
    'Want-Digest': string
    /** @description `none`, `minor` or `major`: which version is made of it */
    'X-Versioning-Option': string
    /** @description Who saves, for rules of versioning. Not looked at beside X-Versioning-Option */
    Source: string
    /** @description Noted with the change */
    'Update-Comment': string
    /** @description An empty text is stored as null; as the server is set up unless told */
    'X-NXDocumentJsonLegacy': boolean
    /** @description `fields` shows the rules for the values of fields. Also called fetch-schema, X-NXfetch.schema, X-NXfetch-schema */
    'fetch.schema': string[]
    /** @description `fields` shows the rules for the values of fields. Also called fetch-schema, X-NXfetch.schema, X-NXfetch-schema */
    'fetch.schema.query': string[]
    /** @description The id of the last event that the client had: it goes on behind it */
    'Last-Event-ID': string
    /** @description What is shown of the members: `memberUsers`, `memberGroups`, `parentGroups`. Also called fetch-group, X-NXfetch.group, X-NXfetch-group */
    'fetch.group': string[]
    /** @description What is shown of the members: `memberUsers`, `memberGroups`, `parentGroups`. Also called fetch-group, X-NXfetch.group, X-NXfetch-group */
    'fetch.group.query': string[]
    /**
     * @description What to add below `contextParameters`. Also called enrichers-user, X-NXenrichers.user, X-NXenrichers-user
     * @example userprofile
     */
    'enrichers.user': string[]
    /**
     * @description What to add below `contextParameters`. Also called enrichers-user, X-NXenrichers.user, X-NXenrichers-user
     * @example userprofile
     */
    'enrichers.user.query': string[]
    /** @description `repliesSummary` adds how many replies there are, and the date of the last. Also called fetch-comment, X-NXfetch.comment, X-NXfetch-comment */
    'fetch.comment': string[]
    /** @description `repliesSummary` adds how many replies there are, and the date of the last. Also called fetch-comment, X-NXfetch.comment, X-NXfetch-comment */
    'fetch.comment.query': string[]
    /** @description `key` shows what the keys of buckets refer to. Also called fetch-aggregate, X-NXfetch.aggregate, X-NXfetch-aggregate */
    'fetch.aggregate': string[]
    /** @description `key` shows what the keys of buckets refer to. Also called fetch-aggregate, X-NXfetch.aggregate, X-NXfetch-aggregate */
    'fetch.aggregate.query': string[]
    /** @description `actors`, `targetDocumentIds`, `workflowInitiator`: what is shown as an entity. Also called fetch-task, X-NXfetch.task, X-NXfetch-task */
    'fetch.task': string[]
    /** @description `actors`, `targetDocumentIds`, `workflowInitiator`: what is shown as an entity. Also called fetch-task, X-NXfetch.task, X-NXfetch-task */
    'fetch.task.query': string[]
    /** @description `name`, `directive`, `workflowTitle`, `taskActions`: what is shown as words, as Accept-Language says, and not as keys. Also called translate-task, X-NXtranslate.task, X-NXtranslate-task */
    'translate.task': string[]
    /** @description `name`, `directive`, `workflowTitle`, `taskActions`: what is shown as words, as Accept-Language says, and not as keys. Also called translate-task, X-NXtranslate.task, X-NXtranslate-task */
    'translate.task.query': string[]
    /** @description `initiator`, `attachedDocumentIds`: what is shown as an entity. Also called fetch-workflow, X-NXfetch.workflow, X-NXfetch-workflow */
    'fetch.workflow': string[]
    /** @description `initiator`, `attachedDocumentIds`: what is shown as an entity. Also called fetch-workflow, X-NXfetch.workflow, X-NXfetch-workflow */
    'fetch.workflow.query': string[]
    /** @description `title`: shown as words, as Accept-Language says, and not as a key. Also called translate-workflow, X-NXtranslate.workflow, X-NXtranslate-workflow */
    'translate.workflow': string[]
    /** @description `title`: shown as words, as Accept-Language says, and not as a key. Also called translate-workflow, X-NXtranslate.workflow, X-NXtranslate-workflow */
    'translate.workflow.query': string[]
    /** @description Percent-encoded */
    'X-File-Name': string
    /** @description The media type */
    'X-File-Type': string
    'X-Upload-Type': 'normal' | 'chunked'
    /** @description Of a chunk, counted from 0 */
    'X-Upload-Chunk-Index': number
    /** @description Of how many chunks the file is */
    'X-Upload-Chunk-Count': number
    /** @description Bytes of the whole file; needed with chunks */
    'X-File-Size': number
  }
  requestBodies: never
  headers: never
  pathItems: never
}
export type $defs = Record<string, never>
export type operations = Record<string, never>
