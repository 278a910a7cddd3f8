import { Newspaper } from 'lucide-react'
import type { Sort } from '../../api/documents.ts'
import { Message } from '../../ui/message.tsx'
import { DocumentList } from '../lists/document-list.tsx'
import { ShelfPage } from '../lists/shelf-page.tsx'
import { sectionsCondition } from './use-publishing.ts'
import { usePublishingWords } from './words.ts'

const byPlace: Sort = { by: 'ecm:path', order: 'asc' }

/** All sections that one can see. */
export function SectionsPage() {
  const say = usePublishingWords()
  return (
    <ShelfPage title={say('sections')} hint={say('sectionsHint')}>
      <DocumentList
        label={say('sections')}
        condition={sectionsCondition}
        sort={byPlace}
        empty={
          <Message icon={Newspaper} title={say('sectionsNothing')}>
            <p>{say('sectionsNothingHint')}</p>
          </Message>
        }
      />
    </ShelfPage>
  )
}
