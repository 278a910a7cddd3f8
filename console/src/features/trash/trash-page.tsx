import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { meQuery, quote } from '../../api/documents.ts'
import { Segments } from '../../ui/segments.tsx'
import { ShelfPage } from '../lists/shelf-page.tsx'
import { TrashList } from './trash-list.tsx'
import { useTrashWords } from './words.ts'

const route = getRouteApi('/trash')

/** What was put there itself: what lay in a folder goes and comes back with it. */
const trashedItself =
  "ecm:isTrashed = 1 AND ecm:isVersion = 0 AND ecm:mixinType != 'HiddenInNavigation' AND ecm:name LIKE '%.trashed'"

/** What is in the trash of all folders that one can see; first, what one has made oneself. */
export function TrashPage() {
  const say = useTrashWords()
  const navigate = route.useNavigate()
  const { of = 'mine' } = route.useSearch()
  const { data: me } = useSuspenseQuery(meQuery)
  const condition = of === 'mine' ? `${trashedItself} AND dc:creator = ${quote(me.id)}` : trashedItself
  return (
    <ShelfPage title={say('title')} hint={say('hint')}>
      <TrashList
        key={of}
        condition={condition}
        toolbar={
          <Segments
            label={say('whose')}
            selected={of}
            options={[
              { id: 'mine', label: say('mine') },
              { id: 'all', label: say('everybody') },
            ]}
            onSelect={(next) => void navigate({ search: next === 'mine' ? {} : { of: next }, replace: true })}
          />
        }
      />
    </ShelfPage>
  )
}
