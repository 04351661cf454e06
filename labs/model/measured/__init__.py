"""What was measured: logs of nccl-tests read, and models fitted to them."""
