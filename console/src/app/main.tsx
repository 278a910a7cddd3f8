import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Problem } from '../api/client.ts'
import { PreferencesProvider } from '../features/profile/preferences.tsx'
import '../ui/tokens.css'
import { makeRouter } from './router.tsx'

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What was refused is refused again; only what got no answer may get one.
      retry: (failures, error) => failures < 2 && error instanceof Problem && (error.isOffline || error.status >= 502),
    },
  },
})
const router = makeRouter(queries)
const place = document.getElementById('app')
if (place === null) throw new Error('The page has no place for the console.')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <PreferencesProvider>
        <RouterProvider router={router} />
      </PreferencesProvider>
    </QueryClientProvider>
  </StrictMode>,
)
