import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A NameNode and a DataNode on loopback: arguments are their directory and the port of the NameNode. */
public class Server {
    public static void main(String[] arguments) throws Exception {
        Configuration settings = new Configuration();
        settings.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, arguments[0]);
        int port = Integer.parseInt(arguments[1]);
        new MiniDFSCluster.Builder(settings).numDataNodes(1).nameNodePort(port).build().waitActive();
        System.out.println("READY");
        System.in.read(); // Ends with the test process: its end closes the pipe.
        System.exit(0);
    }
}
