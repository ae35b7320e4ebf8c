/** What a folder's files want, in words that hold no password. */
import type { FolderClaim } from '../../table/folder-claims.ts'
import { oneLine } from './cells.ts'

/** Without user, password and query. The query of a database's address may name another host. */
const shownAddress = (address: string): string => {
  const url = address.includes('://') ? URL.parse(address) : URL.parse(`http://${address}`)
  if (!url) return "an address that can't be read"
  const host = url.searchParams.get('host') ?? url.host
  return `${url.protocol}//${host}${url.pathname.replace(/\/$/, '')}`
}

const claimWords = ({ type, id, address, variables }: FolderClaim): string => {
  if (type === 'sessions') {
    const place = id === 'DATABASE_URL' ? shownAddress(address!) : address
    return `sessions are saved at ${place} (${id})`
  }
  const place = address === null ? '' : ` at ${shownAddress(address)}`
  return `${id}${place} gets ${variables.join(' or ')}`
}

export const claimLines = (claims: readonly FolderClaim[]): string[] =>
  claims.map(claim => `  ${oneLine(claimWords(claim))}`)
