/** Which addresses of the network a page may be fetched from: public ones only, whatever name leads there. */
import ipaddr from 'ipaddr.js'

/** Ranges such as `private`, `linkLocal`, `carrierGradeNat`, `ipv4Mapped` or `rfc6052` (NAT64) all lead back inside. */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address) || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  if (parsed.kind() === 'ipv4') return true
  // All public addresses of IPv6 are in 2000::/3. What else a library doesn't know is refused.
  return ((parsed as ipaddr.IPv6).parts[0]! & 0xe000) === 0x2000
}
