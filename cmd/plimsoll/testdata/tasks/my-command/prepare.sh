awk 'BEGIN { srand(1); for (i = 0; i < 20000; i++) { for (j = 0; j < 10; j++) printf "w%d ", rand() * 5000; print "" } }' >input.txt
