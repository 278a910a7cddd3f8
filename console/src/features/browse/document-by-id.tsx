import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { documentQuery } from '../../api/documents.ts'
import { DocumentPage } from './browse.tsx'

const route = getRouteApi('/doc/$id')

/** A document that is known by its id: at the address of its place, if it has one of its own. */
export function DocumentById() {
  const { id } = route.useParams()
  const navigate = route.useNavigate()
  const { data: document } = useQuery(documentQuery({ id }))
  // A version has the path of its live document, and what is in the trash is not what others find at its path.
  const path = document === undefined || document.isVersion || document.isTrashed ? undefined : document.path
  useEffect(() => {
    if (path) void navigate({ to: '/browse/$', params: { _splat: path.slice(1) }, replace: true })
  }, [path, navigate])
  return <DocumentPage reference={{ id }} />
}
