import { Segments } from '../../ui/segments.tsx'
import { ScreenPage } from '../administration/screen-page.tsx'
import { usePlace } from '../administration/use-place.ts'
import { DocumentReport } from './document-report.tsx'
import { PersonReport } from './person-report.tsx'
import { usePermissionReportWords } from './words.ts'

/** Who can do something with a document, or where somebody was given something. */
export function Screen() {
  const say = usePermissionReportWords()
  const { search, goTo } = usePlace()
  const kind = search.kind === 'person' ? 'person' : 'document'
  return (
    <ScreenPage
      title={say('title')}
      hint={say('hint')}
      tools={
        <Segments
          label={say('about')}
          selected={kind}
          options={[
            { id: 'document', label: say('aDocument') },
            { id: 'person', label: say('aPerson') },
          ]}
          onSelect={(id) => void goTo('permissions', { kind: id })}
        />
      }
    >
      {kind === 'document' ? <DocumentReport /> : <PersonReport />}
    </ScreenPage>
  )
}
