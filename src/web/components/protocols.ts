/** The protocols that the server knows. */
import { useQuery } from '@tanstack/react-query'
import type { ProtocolsReply } from '../../api/index.ts'
import { fetchProtocols } from '../api.ts'

export const useProtocols = (): ProtocolsReply['protocols'] =>
  useQuery({ queryKey: ['protocols'], queryFn: fetchProtocols }).data?.protocols ?? []
