import { getRouteApi } from '@tanstack/react-router'
import { Tag } from 'lucide-react'
import { quote, visible } from '../../api/documents.ts'
import { Message } from '../../ui/message.tsx'
import { DocumentList } from '../lists/document-list.tsx'
import { ShelfPage } from '../lists/shelf-page.tsx'
import { useTagWords } from './words.ts'

const route = getRouteApi('/tags/$tag')

/** All that has a tag. */
export function TaggedPage() {
  const say = useTagWords()
  const { tag } = route.useParams()
  return (
    <ShelfPage title={say('title', { tag })}>
      <DocumentList
        key={tag}
        label={say('documents', { tag })}
        condition={`ecm:tag = ${quote(tag)} AND ${visible}`}
        empty={
          <Message icon={Tag} title={say('nothing', { tag })}>
            <p>{say('nothingHint')}</p>
          </Message>
        }
      />
    </ShelfPage>
  )
}
