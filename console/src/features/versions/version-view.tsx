import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ArchiveRestore, GitCompareArrows } from 'lucide-react'
import { useState } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import { type Document, isAllowed, mainFileOf, propertyOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Question } from '../../ui/dialog/question.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useFormats } from '../../words/formats.ts'
import { PropertyValue } from '../forms/property-value.tsx'
import { useFieldNames } from '../forms/words.ts'
import { Preview } from '../preview/preview.tsx'
import { Shown } from '../problems/shown.tsx'
import { propertyDifferences } from './property-differences.ts'
import { restoreVersion, versionQuery } from './use-versions.ts'
import styles from './versions.module.css'
import { useVersionWords } from './words.ts'

const route = getRouteApi('/browse/$')

/** One version as it is kept: its file, its text, its properties. */
export function VersionView({ document, id }: { readonly document: Document; readonly id: string }) {
  return (
    <Shown query={useQuery(versionQuery(id))} waiting={<Skeleton />}>
      {(version) => <Version document={document} version={version} />}
    </Shown>
  )
}

function Version({ document, version }: { readonly document: Document; readonly version: Document }) {
  const say = useVersionWords()
  const nameOf = useFieldNames()
  const navigate = route.useNavigate()
  const { moment } = useFormats()
  const label = version.versionLabel ?? ''
  const { created = null, comment = null } = version.contextParameters?.version ?? {}
  const file = mainFileOf(version)
  const note = propertyOf(version, 'note:note')
  const who = propertyOf(version, 'dc:lastContributor') ?? ''
  return (
    <>
      <header className={styles.head}>
        <div>
          <h2>{say('version', { label })}</h2>
          <p className={styles.quiet}>
            {moment(created)} {say('by', { who })}
          </p>
          {comment ? <p>{comment}</p> : null}
        </div>
        <div className={styles.bar}>
          <Button onPress={() => void navigate({ search: { tab: 'versions', version: version.uid, with: document.uid } })}>
            <GitCompareArrows size={16} aria-hidden />
            {say('compareNow')}
          </Button>
          {isAllowed(document, 'WriteVersion') ? <RestoreButton id={version.uid} label={label} /> : null}
        </div>
      </header>
      {file === undefined ? null : <Preview file={file} documentId={version.uid} />}
      {note === undefined || note === '' ? null : <pre className={styles.note}>{note}</pre>}
      <FactList>
        {propertyDifferences({}, version.properties ?? {}).map(({ xpath, after }) => [
          <dt key={xpath}>{nameOf(xpath)}</dt>,
          <dd key={`${xpath}-value`}>
            <PropertyValue document={version} xpath={xpath} value={after} />
          </dd>,
        ])}
      </FactList>
    </>
  )
}

function RestoreButton({ id, label }: { readonly id: string; readonly label: string }) {
  const say = useVersionWords()
  const navigate = route.useNavigate()
  const [isAsking, setAsking] = useState(false)
  const restore = useDocumentChange(restoreVersion)
  return (
    <>
      <Button look="main" onPress={() => setAsking(true)}>
        <ArchiveRestore size={16} aria-hidden />
        {say('restore')}
      </Button>
      <Question
        title={say('restoreTitle', { label })}
        isOpen={isAsking}
        isPending={restore.isPending}
        confirmLabel={say('restore')}
        cancelLabel={say('cancel')}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          restore.mutate(id, {
            onSuccess: () => {
              tell({ text: say('restored', { label }) })
              void navigate({ search: {} })
            },
            onError: ({ message }) => tell({ kind: 'problem', text: message }),
            onSettled: () => setAsking(false),
          })
        }
      >
        <p>{say('restoreHint')}</p>
      </Question>
    </>
  )
}
